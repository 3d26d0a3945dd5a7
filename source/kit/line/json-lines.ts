import type { Line } from './line.ts';

/** A value as indented JSON, a line each; undefined where there is none. */
export function toJsonLines(value: unknown): readonly Line[] | undefined {
  if (value === undefined) return undefined;
  return JSON.stringify(value, undefined, 2)
    .split('\n')
    .map((line): Line => {
      const [, before = '', name = '', rest = line] = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*)$/.exec(line) ?? [];
      return [{ text: `  ${before}` }, { text: name, token: 'muted' }, { text: rest, token: toValueToken(rest) }];
    });
}

function toValueToken(text: string): 'string' | 'number' | 'keyword' | undefined {
  if (text.startsWith('"')) return 'string';
  if (/^-?\d/.test(text)) return 'number';
  return /^(true|false|null)/.test(text) ? 'keyword' : undefined;
}
