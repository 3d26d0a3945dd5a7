import type { ServeNotice } from '../serve-notice.ts';
import type { ThrownError } from '../server-message.ts';
import { findLonelyDatabase } from './find-lonely-database.ts';
import { isHeldResource } from './is-held-resource.ts';

/** Whether what answers is ended before its successor starts, and how that was found out. */
export interface StopFirst {
  readonly isOn: () => boolean;
  /** Whether a start that failed so may go well once what answers has ended. */
  readonly mayHelp: (error: ThrownError | undefined) => error is ThrownError;
  /** The next version starts after the one before has stopped; the user is told why. */
  readonly choose: (reason: string) => void;
  /** Chooses it where the code imports a database whose files only one process may have open. */
  readonly takeImports: (imports: readonly string[]) => void;
}

/** `setting`: what the user has said; nothing is chosen then. */
export function createStopFirst(setting: boolean | undefined, onNotice: (notice: ServeNotice) => void): StopFirst {
  let isOn = setting ?? false;
  const isOpen = (): boolean => setting === undefined && !isOn;
  const choose = (reason: string): void => {
    isOn = true;
    onNotice({ code: 'StopsFirst', reason });
  };
  return {
    isOn: () => isOn,
    mayHelp: (error): error is ThrownError => isOpen() && isHeldResource(error),
    choose,
    takeImports: (imports) => {
      const name = isOpen() ? findLonelyDatabase(imports) : undefined;
      if (name !== undefined) choose(`only one process may have the files of ${name} open`);
    },
  };
}
