import { describe, expect, it } from 'vitest';
import { directConnection, type Phase, type Taker } from '../../../source/serve/phase.ts';

interface Named extends Taker {
  readonly name: string;
}

const at = (name: string, ...places: readonly string[]): Named => ({
  name,
  takes: (place) => places.includes(place),
});

const live = at('live', 'localhost:3000');
const own = at('next', 'own :4000');
const notRunning =
  'The server is not running; `capix dev` says why and starts it on the next change.';

/** For each phase: where a connection goes to a place that the process has, that it has not, and of the code's own. */
const rows: readonly {
  readonly when: string;
  readonly phase: Phase<Named>;
  readonly known: string;
  readonly unknown: string;
  readonly ownPort: string;
}[] = [
  {
    when: 'idle',
    phase: { kind: 'idle' },
    known: notRunning,
    unknown: notRunning,
    ownPort: notRunning,
  },
  {
    when: 'answering, just handed over',
    phase: { kind: 'answering', live, isSettled: false },
    known: 'live',
    unknown: 'wait',
    ownPort: 'wait',
  },
  {
    when: 'answering, settled',
    phase: { kind: 'answering', live, isSettled: true },
    known: 'live',
    unknown: 'The new code does not listen here.',
    ownPort: 'The new code does not listen here.',
  },
  {
    when: 'starting beside what answers',
    phase: { kind: 'starting', live, next: own },
    known: 'live',
    unknown: 'wait',
    ownPort: 'wait',
  },
  {
    when: 'starting alone, without a process yet',
    phase: { kind: 'starting', live: undefined, next: undefined },
    known: 'wait',
    unknown: 'wait',
    ownPort: 'wait',
  },
  {
    when: 'starting alone',
    phase: { kind: 'starting', live: undefined, next: own },
    known: 'wait',
    unknown: 'wait',
    ownPort: 'next',
  },
  {
    when: 'starting alone, where the code has the public port already',
    phase: { kind: 'starting', live: undefined, next: live },
    known: 'wait',
    unknown: 'wait',
    ownPort: 'wait',
  },
  {
    when: 'handing over',
    phase: { kind: 'handing', live },
    known: 'wait',
    unknown: 'wait',
    ownPort: 'wait',
  },
  {
    when: 'stopping',
    phase: { kind: 'stopping', live },
    known: 'The server is being stopped.',
    unknown: 'The server is being stopped.',
    ownPort: 'The server is being stopped.',
  },
];

function direct(phase: Phase<Named>, place: string): string {
  const direction = directConnection(phase, place);
  if (direction.kind === 'to') return direction.runner.name;
  return direction.kind === 'wait' ? 'wait' : direction.message;
}

describe('where a connection goes', () => {
  it.each(rows)('$when', ({ phase, known, unknown, ownPort }) => {
    expect(direct(phase, 'localhost:3000')).toBe(known);
    expect(direct(phase, 'localhost:9')).toBe(unknown);
    expect(direct(phase, 'own :4000')).toBe(ownPort);
  });
});
