import { useApp } from 'ink';
import { type TextFieldState, toTextField } from '../kit/field/text-field-state.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import { useScreen } from '../screens/use-screen.ts';

/** The side that is compared with, as the command line or the user names it. */
export interface AskedSide {
  /** Undefined until it is named. */
  readonly before: string | undefined;
  /** The reason why the name before could not be taken. */
  readonly problem: string | undefined;
  readonly field: TextFieldState;
  readonly onField: (field: TextFieldState) => void;
  /** Takes the text of the field; without one the last commit. */
  readonly choose: () => void;
  /** Asks for another name. A name of the command line is refused there. */
  readonly refuse: (reason: Error) => void;
}

export function useAskedSide(): AskedSide {
  const { entry } = useScreen();
  const { exit } = useApp();
  const given = entry.route.screen === 'diff' ? entry.route.before : undefined;
  const [before, setBefore] = useKept('before', given);
  const [problem, setProblem] = useKept<string | undefined>('problem', undefined);
  const [field, onField] = useKept('field', toTextField(''));
  return {
    before,
    problem,
    field,
    onField,
    choose: () => setBefore(field.text.trim() || 'HEAD'),
    refuse: (reason) => {
      if (given !== undefined && entry.id === 0) return exit(reason);
      setProblem(reason.message);
      setBefore(undefined);
    },
  };
}
