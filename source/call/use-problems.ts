import { useEffect, useState } from 'react';
import type { FieldProblem } from '../../server-runtime/schema/validator.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { waitWithin } from '../system/wait-within.ts';
import type { CallInput } from './run/call-input.ts';
import type { Session } from './use-session.ts';

interface Validation {
  readonly key: string;
  readonly input: CallInput;
  /** Another one is another schema. */
  readonly manifest: Manifest;
}

/** The problems that the schema finds in an input while it is typed, by path. */
export function useProblems(session: Session, { key, input, manifest }: Validation): ReadonlyMap<string, string> {
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const text = JSON.stringify(input);
  useEffect(() => {
    let isOld = false;
    session.validate(key, JSON.parse(text) as CallInput).then(
      (fields) => {
        if (!isOld) setProblems(toProblemMap(fields));
      },
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [session, key, text, manifest]);
  return problems;
}

/** The first problem of each field. */
function toProblemMap(fields: readonly FieldProblem[]): ReadonlyMap<string, string> {
  return new Map(fields.toReversed().map(({ path, message }) => [path, toShortMessage(message)]));
}

/** The message of zod for a field that is missing, as a form says it. */
function toShortMessage(message: string): string {
  return /^Invalid input: expected .+, received undefined$/.test(message) ? 'required' : message;
}

/** The time that the schema may take, milliseconds, before a call goes without it. */
const CHECK_MS = 5_000;

/** The problems that the schema finds in an input; none where it cannot be asked, for then the call says why. */
export async function checkInput(
  session: Session,
  key: string,
  input: CallInput,
): Promise<ReadonlyMap<string, string>> {
  let fields: readonly FieldProblem[] = [];
  const asked = session.validate(key, input).then(
    (said) => void (fields = said),
    () => {},
  );
  await waitWithin(CHECK_MS, asked);
  return toProblemMap(fields);
}
