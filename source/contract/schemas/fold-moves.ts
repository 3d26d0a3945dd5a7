import { findTarget } from '../../shape/read/find-target.ts';
import { isSchemaObject } from '../../shape/read/schema-json.ts';
import type { ContractChange } from '../contract-change.ts';
import type { RuleId } from '../rules/contract-rules.ts';
import { toChange } from '../rules/to-change.ts';
import type { DiffSchemasOptions } from './diff-schemas.ts';

/**
 * A field that is gone here and one just like it that is new there have moved, where no other field of either side is like them: one change in the
 * place of two.
 */
export function foldMoves(
  changes: readonly ContractChange[],
  { before, after, direction }: DiffSchemasOptions,
): readonly ContractChange[] {
  const toText = (json: unknown, at: string): string | undefined => toFieldText(json, at.split('.').slice(1));
  const gone = changes.filter(({ rule }) => /^(in|out)put-field-(removed|refused)$/.test(rule));
  const come = changes.filter(({ rule }) => /^(in|out)put-field-added/.test(rule));
  if (gone.length === 0 || come.length === 0) return changes;
  const isAlike = (old: ContractChange, now: ContractChange): boolean => {
    const text = toText(before, old.at);
    return text !== undefined && text === toText(after, now.at) && (isNamesake(old, now) || isSibling(old, now));
  };
  const folded = new Map<ContractChange, ContractChange | undefined>();
  for (const old of gone) {
    const heirs = come.filter((now) => isAlike(old, now));
    const [heir] = heirs;
    if (heir === undefined || heirs.length > 1 || gone.filter((each) => isAlike(each, heir)).length > 1) continue;
    folded.set(old, toMove(old, heir, direction));
    folded.set(heir, undefined);
  }
  return changes.flatMap((change) => (folded.has(change) ? (folded.get(change) ?? []) : change));
}

function toMove(old: ContractChange, now: ContractChange, direction: DiffSchemasOptions['direction']): ContractChange {
  const mayBeLeftOut = now.rule === 'input-field-added-optional' && old.rule === 'input-field-removed';
  const rule: RuleId =
    direction === 'output' ? 'output-field-moved' : mayBeLeftOut ? 'input-field-moved-optional' : 'input-field-moved';
  const [from, to] = [toName(old), toName(now)];
  const verb = isSibling(old, now) ? 'was renamed to' : 'moved to';
  return toChange(rule, { at: old.at, message: `\`${from}\` ${verb} \`${to}\``, before: from, after: to });
}

function toName({ at }: ContractChange): string {
  return at.split('.').slice(1).join('.');
}

function isNamesake(old: ContractChange, now: ContractChange): boolean {
  return old.at.split('.').at(-1) === now.at.split('.').at(-1);
}

function isSibling(old: ContractChange, now: ContractChange): boolean {
  return old.at.split('.').slice(0, -1).join('.') === now.at.split('.').slice(0, -1).join('.');
}

/** The schema of a field, as text; undefined where the way to it is not one of plain objects. */
function toFieldText(json: unknown, path: readonly string[]): string | undefined {
  const schema = path.reduce((at: unknown, name) => {
    const target = isSchemaObject(at) && typeof at['$ref'] === 'string' ? findTarget(at['$ref'], json) : at;
    const fields = isSchemaObject(target) ? target['properties'] : undefined;
    return isSchemaObject(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
  }, json);
  if (!isSchemaObject(schema)) return undefined;
  const { description: _, title: __, ...rest } = schema;
  return JSON.stringify(rest);
}
