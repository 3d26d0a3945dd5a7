import type { z } from 'zod';

/** How a field of the tests' own making is to be read; the plan under test works it out from the zod schema alone. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'texts' | 'numbers' | 'pair' | 'booleans';

export interface ReferenceField {
  readonly kind: FieldKind;
  readonly schema: z.ZodType;
}

/** The rules of query input, word for word and slowly. */
export function readReferenceQuery(
  query: string,
  params: Readonly<Record<string, string>>,
  fields: ReadonlyMap<string, ReferenceField>,
): Record<string, unknown> {
  const names = new Set<string>();
  const sent = new Map<string, string[]>();
  const bracketed = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const key = decode(at === -1 ? pair : pair.slice(0, at));
    const text = at === -1 ? '' : decode(pair.slice(at + 1));
    const isBracketed = key.endsWith('[]') && key.length > 2;
    const into = isBracketed ? bracketed : sent;
    const name = isBracketed ? key.slice(0, -2) : key;
    names.add(name);
    into.set(name, [...(into.get(name) ?? []), text]);
  }
  const input: Record<string, unknown> = {};
  for (const name of names) {
    if (name === '__proto__' || name === 'constructor' || name === 'prototype') continue;
    input[name] = toValue(
      [...(sent.get(name) ?? []), ...(bracketed.get(name) ?? [])],
      fields.get(name)?.kind ?? 'text',
    );
  }
  for (const [name, text] of Object.entries(params))
    input[name] = toValue([text], fields.get(name)?.kind ?? 'text');
  return input;
}

function decode(text: string): string {
  const spaced = text.split('+').join(' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function toValue(texts: readonly string[], kind: FieldKind): unknown {
  const last = texts.at(-1) ?? '';
  switch (kind) {
    case 'text':
      return last;
    case 'number':
      return toReferenceNumber(last);
    case 'boolean':
      return toReferenceBoolean(last);
    case 'texts':
      return texts;
    case 'numbers':
      return texts.map(toReferenceNumber);
    case 'pair':
      // What no place is for has no type, and stays a text.
      return texts.map((text, index) => (index < 2 ? toReferenceNumber(text) : text));
    case 'booleans':
      return texts.map(toReferenceBoolean);
  }
}

/** A decimal literal, read character by character. */
export function toReferenceNumber(text: string): unknown {
  let rest = Array.from(text);
  const take = (allowed: string): number => {
    const count = rest.findIndex((character) => !allowed.includes(character));
    const taken = count === -1 ? rest.length : count;
    rest = rest.slice(taken);
    return taken;
  };
  const takeSign = (): void =>
    void (rest[0] === '+' || rest[0] === '-' ? (rest = rest.slice(1)) : undefined);
  takeSign();
  let digits = take('0123456789');
  if (rest[0] === '.') {
    rest = rest.slice(1);
    digits += take('0123456789');
  }
  if (digits === 0) return text;
  if (rest[0] === 'e' || rest[0] === 'E') {
    rest = rest.slice(1);
    takeSign();
    if (take('0123456789') === 0) return text;
  }
  return rest.length === 0 && Number.isFinite(Number(text)) ? Number(text) : text;
}

function toReferenceBoolean(text: string): unknown {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return text;
}
