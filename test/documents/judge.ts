import type { ContractChange } from '../../source/contract/changes/contract-change.ts';
import { compare } from '../../source/contract/compare.ts';
import type { OpenApi } from './document-types.ts';
import { editKinds, isEditable } from './edit-kinds.ts';
import { createRandom } from './random.ts';
import { toRepeatedId, toShuffled, toWithoutField } from './whole-documents.ts';

export { editKinds };

/** What the comparison said of an edit. */
export interface Verdict {
  /** The place of its kind among all kinds. */
  readonly kind: number;
  readonly found: string;
  readonly isRight: boolean;
  /** Whether a change that breaks callers was told as none. */
  readonly isSilent: boolean;
  readonly isUnclear: boolean;
  /** Whether it said that nobody can tell, and somebody can. */
  readonly isWronglyUnclear: boolean;
  readonly changes: readonly string[];
}

function toChanges(before: OpenApi, after: OpenApi): readonly ContractChange[] {
  const { added, removed, changed, server } = compare(before, after);
  return [...[...removed, ...changed, ...added].flatMap(({ changes }) => changes), ...server];
}

/** What the comparison says of an edit of a document; undefined where the document has no place for it. */
export function judgeEdit(document: OpenApi, kind: number, seed: number): Verdict | undefined {
  const edit = editKinds[kind]!;
  const edited = edit.make(structuredClone(document), createRandom(seed));
  if (edited === undefined) return undefined;
  const found = compare(edited.before, edited.after).class ?? 'none';
  const changes = toChanges(edited.before, edited.after);
  const isUnclear = changes.some(({ rule }) => rule.endsWith('-unclear'));
  return {
    kind,
    found,
    isRight: found === edit.effect,
    isSilent: found === 'none' && edit.effect === 'breaking',
    isUnclear,
    isWronglyUnclear: isUnclear && !edit.isUnclear,
    changes: changes.map((each) => `${each.class} ${each.rule}: ${each.at}: ${each.message}`),
  };
}

/** The faults of a whole document: what is told of it and itself, of a field fewer, and of an id that is there twice. */
export function judgeDocument(document: OpenApi, seed: number): readonly string[] {
  return [
    ...toChanges(document, toShuffled(document, seed)).map(
      ({ rule, at, message }) => `the same: ${rule} at ${at}: ${message}`,
    ),
    ...judgeField(document, seed),
    ...judgeRepeatedId(document, seed),
  ];
}

function judgeField(document: OpenApi, seed: number): readonly string[] {
  const edited = toWithoutField(document, seed);
  if (edited === undefined) return [];
  const found = toChanges(edited.before, edited.after);
  const texts = found.map(({ rule, at }) => `${rule} at ${at}`);
  const [only] = found;
  const isExact =
    found.length === 1 &&
    only?.rule === 'output-field-removed' &&
    only.at.endsWith(`.${edited.field}`);
  return isExact ? [] : [`without ${edited.field}: ${texts.join(', ') || 'nothing'}`];
}

/** Two operations of one id are matched by their routes, so that a document is the same as itself. */
function judgeRepeatedId(document: OpenApi, seed: number): readonly string[] {
  const twice = toRepeatedId(document);
  if (twice === undefined) return [];
  return toChanges(twice, toShuffled(twice, seed)).map(
    ({ rule, at }) => `one id for two: ${rule} at ${at}`,
  );
}

export { isEditable };
