import type { Terminal } from '@xterm/headless';

export function toTerminalSvg(terminal: Pick<Terminal, 'cols' | 'rows' | 'buffer'>, title: string): string;

/** The colour behind the cells of a window. */
export declare const background: string;
