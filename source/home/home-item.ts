import type { CommandHelp } from '../cli/command-help.ts';
import type { Line } from '../kit/line/line.ts';
import type { Symbols } from '../kit/theme/tokens.ts';
import type { ProjectState } from '../load/project-state.ts';
import type { Problem } from '../manifest/problem.ts';
import type { Location } from '../screens/location.ts';
import type { EditorPlace } from '../system/open-editor.ts';
import type { SinceHead } from './since-head.ts';
import type { HomeFacts } from './use-home-facts.ts';

/** A line of the home screen. */
export interface HomeItem {
  readonly id: string;
  readonly line: Line;
  /** The line with what matters less left out, the longest first: the first one that has room is drawn. The last one may be cut. */
  readonly shorter?: readonly Line[];
  /** The words after the line, where there is room for most of them. */
  readonly hint?: string;
  /** The same in a few words, for where it would be cut. */
  readonly brief?: string;
  /** Whether it begins a group that stands apart from the one before. */
  readonly isApart?: boolean;
  /** The screen that Enter leads to. */
  readonly route?: Location;
  /** The address that Enter opens in the browser. */
  readonly url?: string;
  /** The words after `capix` of a command that has no screen. */
  readonly usage?: string;
  /** The text that is copied. */
  readonly copied?: string | undefined;
  /** The place that is opened in the editor. */
  readonly source?: EditorPlace | undefined;
}

export interface HomeOptions {
  /** The problems of the project; undefined until they are known. */
  readonly findings: readonly Problem[] | undefined;
  readonly project: ProjectState;
  readonly hasProject: boolean;
  readonly facts: HomeFacts;
  readonly since: SinceHead;
  readonly help: CommandHelp;
  readonly symbols: Symbols;
}

/** Columns of what stands before a line: the name of what it tells, or of the group that begins with it. */
const LABEL_WIDTH = 14;

/** Puts the name of a group before its first item. `isApart`: whether the group stands apart from the one before. */
export function toGroup(label: string, items: readonly HomeItem[], isApart = false): readonly HomeItem[] {
  return items.map((item, index) => {
    const name = { text: (index === 0 ? label : '').padEnd(LABEL_WIDTH), token: 'title' as const };
    return {
      ...item,
      isApart: isApart && index === 0,
      line: [name, ...item.line],
      ...(item.shorter && { shorter: item.shorter.map((line) => [name, ...line]) }),
    };
  });
}
