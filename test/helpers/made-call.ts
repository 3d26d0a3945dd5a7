import { createSecretCheck } from '../../server-runtime/schema/secret-names.ts';
import type { MadeCall } from '../../source/invoke/saved/plan-call.ts';

/** A call that was made and answered with 200, with what a test says of it. */
export function toMade(part: Partial<MadeCall> & Pick<MadeCall, 'key'>): MadeCall {
  return {
    input: {},
    headers: {},
    status: 200,
    body: undefined,
    isSecret: createSecretCheck([]),
    changes: false,
    ...part,
  };
}
