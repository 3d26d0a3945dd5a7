import { isDeepStrictEqual } from 'node:util';
import { streamedItems } from './cases.mjs';

/**
 * What became of one call: `right` where server and caller got what was sent, `wrong` where it was refused or failed visibly, `silent` where something else
 * arrived or was read, and nobody was told. `none` where the program does no such calls.
 */
export function judge(role, record) {
  if (record.left === true) return { outcome: 'none' };
  switch (role) {
    case 'client':
      return judgeCall(record);
    case 'validator':
      return record.isValid ? judgeCall(record) : judgeRefusal(record);
    case 'mock':
      return judgeSample(record);
    default:
      throw new TypeError(`There is no role ${role}`);
  }
}

/** The worst of several: to be told nothing is worse than to be refused. */
export function toWorst(verdicts) {
  for (const outcome of ['silent', 'wrong', 'right']) {
    const found = verdicts.find((verdict) => verdict.outcome === outcome);
    if (found !== undefined) return found;
  }
  return { outcome: 'none' };
}

const right = { outcome: 'right' };
const toWrong = (error) => ({ outcome: 'wrong', note: toShortError(error) });
const toSilent = (note) => ({ outcome: 'silent', note });

function judgeCall({ operation, value, error, answered, isRead, arrivals }) {
  const arrived = arrivals.findLast((each) => each.operation === operation);
  if (error !== undefined) return toWrong(error);
  if (arrived === undefined)
    return toSilent(`${print(value)} did not arrive, and there is no error`);
  if (!isDeepStrictEqual(arrived.input, value))
    return toSilent(`${print(value)} arrived as ${print(arrived.input)}`);
  if (!isRead) return right;
  const expected = operation === 'streams' ? streamedItems : value;
  if (isDeepStrictEqual(answered, expected)) return right;
  return toSilent(`${print(expected)} was read as ${print(answered)}`);
}

/** What a validator must refuse, it must refuse itself: where the server was asked, it has let it pass. */
function judgeRefusal({ value, error, requests }) {
  if (error !== undefined && requests === 0) return right;
  return toSilent(`lets ${print(value)} pass, which the document refuses`);
}

function judgeSample({ error, objection }) {
  if (error !== undefined) return toWrong(error);
  if (objection === undefined) return right;
  return toSilent(`its sample does not fit: ${objection}`);
}

const print = (value) => `\`${JSON.stringify(value)}\``;

/** One line: of an answer of the server what it objects to, of an error of types what the code gives, of anything else the beginning. */
export function toShortError(error) {
  const text = error.replaceAll(/\s+/g, ' ').trim();
  const find = (pattern) => pattern.exec(text)?.[1]?.replaceAll('\\"', '"');
  if (/"error": ?"NotFound"/.test(text)) return '404';
  const issue = find(/"issues": ?\[ ?"((?:[^"\\]|\\.)*)"/);
  if (issue !== undefined) {
    const got = find(/"received": ?"((?:[^"\\]|\\.)+)"/);
    return `400, ${issue}${got === undefined ? '' : `, \`${got}\``}`;
  }
  const given = find(/^types: .*=> Promise<(.+?)>' is not assignable to type/);
  if (given !== undefined) return `by its types it gives \`${given}\``;
  const [, status, message] = /^(\d{3}) \{.*"message": ?"([^"]+)"/.exec(text) ?? [];
  const line =
    status === undefined
      ? text.replaceAll(/127\.0\.0\.1:\d+/g, 'localhost')
      : `${status}, ${message}`;
  return line.length > 160 ? `${line.slice(0, 160)}…` : line.replace(/\.$/, '');
}
