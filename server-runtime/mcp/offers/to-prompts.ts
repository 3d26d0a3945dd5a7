import type { OfferOptions } from '../../capability/definition.ts';
import { toInputPlan } from '../../input/input-fields.ts';
import type { Operation } from '../../registry/operation.ts';
import { describe } from '../../schema/describe.ts';
import { toObjectBranches, toOneObject } from '../../schema/json-branches.ts';
import type { Lens } from '../../schema/lens.ts';
import type { Schema } from '../../schema/schema.ts';

/** A capability as a prompt. */
export interface OfferedPrompt {
  readonly operation: Operation;
  readonly options: OfferOptions;
  readonly plan: Lens;
  readonly description: { readonly name: string };
}

/** @throws TypeError for a capability that is not a query, and for a name that two have */
export function toPrompts(operations: readonly Operation[]): ReadonlyMap<string, OfferedPrompt> {
  const prompts = new Map<string, OfferedPrompt>();
  for (const operation of operations) {
    const { key, definition, intent } = operation;
    const { prompt: options } = definition.offers;
    if (options === undefined) continue;
    if (intent !== 'query') throw new TypeError(`\`${key}\` is a prompt and not a query. Say that it is one: 'query'.`);
    const description = toDescription(operation, options);
    const other = prompts.get(description.name)?.operation.key;
    if (other !== undefined)
      throw new TypeError(
        `\`${other}\` and \`${key}\` are both the prompt '${description.name}'. Name one: .prompt({name: '…'}).`,
      );
    prompts.set(description.name, { operation, options, plan: toInputPlan(definition.schema), description });
  }
  return prompts;
}

function toDescription({ key, definition, fields }: Operation, options: OfferOptions): { readonly name: string } {
  const { title, name = key.replaceAll('.', '_') } = options;
  const description = options.description ?? definition.description;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(fields === undefined ? {} : { arguments: toArguments(definition.schema) }),
  } as { readonly name: string };
}

function toArguments(schema: Schema | undefined): readonly object[] {
  if (schema === undefined) return [];
  const { fields, required } = toOneObject(toObjectBranches(describe(schema).input));
  return [...fields].map(([name, { description }]) => ({
    name,
    ...(description === undefined ? {} : { description }),
    required: required.has(name),
  }));
}
