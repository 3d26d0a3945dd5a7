import { createContext, useContext } from 'react';
import type { Background } from '../../terminal/control/ask-background.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { OwnKeys } from '../keys/own-keys.ts';
import { toTheme } from './to-theme.ts';
import { type Symbols, type Theme, toSymbols } from './tokens.ts';

/** The surroundings that every view may need. */
export interface Ui {
  readonly terminal: Terminal;
  readonly symbols: Symbols;
  readonly theme: Theme;
  /** The keys that the user has chosen; missing where those of the tables hold. */
  readonly ownKeys: OwnKeys | undefined;
}

/** The wishes of the user for how screens look and which keys they take. */
export interface UiSettings {
  /** The styles that differ from `tokens`. */
  readonly theme?: Partial<Theme> | undefined;
  readonly ownKeys?: OwnKeys | undefined;
  /** The background that the terminal has. @default dark */
  readonly background?: Background | undefined;
}

export const UiContext = createContext<Ui | undefined>(undefined);

export function useUi(): Ui {
  const ui = useContext(UiContext);
  if (ui === undefined) throw new Error('A view is drawn outside of UiRoot.');
  return ui;
}

export function toUi(terminal: Terminal, { theme, ownKeys, background }: UiSettings = {}): Ui {
  return {
    terminal,
    symbols: toSymbols(terminal.environment),
    theme: toTheme({ own: theme, background, environment: terminal.environment }),
    ownKeys,
  };
}

/** Columns and rows that a view has for itself. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const BodySizeContext = createContext<Size>({ columns: 80, rows: 21 });

/** The size of the shell's body. */
export function useBodySize(): Size {
  return useContext(BodySizeContext);
}
