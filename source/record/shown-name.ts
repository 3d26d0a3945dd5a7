import { looksSecret } from '../../server-runtime/schema/received.ts';
import type { MarkKind } from './call-marks.ts';
import { MASK } from './preview.ts';
import { replacePairSecrets } from './replace-url-secrets.ts';

const MAX_NAME_LENGTH = 500;
/** What of a text of others is looked at: statements may have a megabyte of values. */
const MAX_READ_LENGTH = 10_000;

/** The name of a mark as it may be shown: without values and secrets. */
export function toShownName(kind: MarkKind, name: string): string {
  return toOwnName(kind, name.slice(0, MAX_READ_LENGTH)).slice(0, MAX_NAME_LENGTH);
}

function toOwnName(kind: MarkKind, name: string): string {
  if (kind === 'db') return toStatement(name);
  if (kind !== 'http') return name;
  const [url = '', ...query] = name.replace(/\/\/[^/@\s]*@/, '//').split('?');
  if (query.length === 0) return url;
  return `${url}?${replacePairSecrets(query.join('?'), looksSecret, () => MASK)}`;
}

/**
 * A statement without its values, which may be secrets, so that the same with others is the same:
 * `select * from lines where id = ?`.
 */
export function toStatement(sql: string): string {
  return sql
    .replaceAll(/'(?:[^'\\]|\\.|'')*'|\$(?<tag>\w*)\$[^]*?\$\k<tag>\$/g, '?')
    .replaceAll(/(?<![\w$."])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi, '?')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
