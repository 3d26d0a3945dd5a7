import type { Prompt, PromptMessage } from '@modelcontextprotocol/server';
import { isBlocks, toBytesBlock } from '../capability/blocks.ts';
import type { OfferOptions } from '../capability/definition.ts';
import { toInputFields, toInputPlan } from '../input/input-fields.ts';
import type { Operation } from '../registry/operation.ts';
import { describe } from '../schema/describe.ts';
import { type Lens, toOneObject } from '../schema/lens.ts';
import type { Schema } from '../schema/schema.ts';
import { type ReadContent, toContentText } from './call-operation.ts';
import { type Desk, type Handlers, type Lists, type Offered, toOfferFacts } from './handlers.ts';
import type { OfferedResource } from './resources.ts';

/** A capability as a prompt. */
export interface OfferedPrompt extends Offered {
  readonly options: OfferOptions;
  readonly plan: Lens;
  readonly description: Prompt;
}

/** @throws TypeError for a capability that is not a query, and for a name that two have */
export function toPrompts(operations: readonly Operation[]): ReadonlyMap<string, OfferedPrompt> {
  const prompts = new Map<string, OfferedPrompt>();
  for (const operation of operations) {
    const { key, definition, intent } = operation;
    const { prompt: options } = definition.offers;
    if (options === undefined) continue;
    if (intent !== 'query') throw new TypeError(`\`${key}\` is a prompt and not a query. Say that it is one: 'query'.`);
    const facts = toOfferFacts({ operation, options });
    const { name } = facts;
    const other = prompts.get(name)?.operation.key;
    if (other !== undefined)
      throw new TypeError(`\`${other}\` and \`${key}\` are both the prompt '${name}'. Name one: .prompt({name: '…'}).`);
    const told = operation.fields === undefined ? facts : { ...facts, arguments: toArguments(definition.schema) };
    prompts.set(name, { operation, options, plan: toInputPlan(definition.schema), description: told });
  }
  return prompts;
}

function toArguments(schema: Schema | undefined): NonNullable<Prompt['arguments']> {
  if (schema === undefined) return [];
  const { fields, required } = toOneObject(describe(schema).lens.branches);
  return [...fields].map(([name, { description }]) => ({
    name,
    ...(typeof description === 'string' && { description }),
    required: required.has(name),
  }));
}

export function createPromptLists(prompts: ReadonlyMap<string, OfferedPrompt>, { findSeen }: Desk): Lists {
  return {
    'prompts/list': async (context) => {
      const seen = await findSeen(prompts.values(), context);
      return { prompts: seen.map(({ description }) => description) };
    },
  };
}

export function createPromptHandlers(
  prompts: ReadonlyMap<string, OfferedPrompt>,
  { toCall, run, toInvalid }: Desk,
): Handlers {
  return {
    'prompts/get': ({ name, arguments: given = {} }, ...message) => {
      const prompt = prompts.get(name);
      if (prompt === undefined) throw toInvalid(`There is no prompt '${name}'.`);
      const { operation, plan } = prompt;
      const { description } = prompt.description;
      return run(toCall(operation, toInputFields(given, plan), message), (content) => ({
        ...(description !== undefined && { description }),
        messages: toMessages(content),
      }));
    },
  };
}

/** A text or blocks are said by the user; a list of `{role, content}` is a conversation. */
function toMessages(content: ReadContent): PromptMessage[] {
  if (content.kind === 'blocks') return content.blocks.map((block) => ({ role: 'user', content: block }));
  if (content.kind === 'bytes') return [{ role: 'user', content: toBytesBlock(content.bytes, content) }];
  const { data } = content;
  if (Array.isArray(data) && data.every(isMessage)) return data.flatMap(toSaid);
  return toSaid({ role: 'user', content: data });
}

interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
}

function isMessage(value: unknown): value is Said {
  const role: unknown = (value as Partial<Said> | null)?.role;
  return role === 'user' || role === 'assistant';
}

function toSaid({ role, content }: Said): PromptMessage[] {
  if (isBlocks(content)) return content.blocks.map((block) => ({ role, content: block }));
  return [{ role, content: { type: 'text', text: toContentText(content) } }];
}

interface Suggesting {
  readonly resources: readonly OfferedResource[];
  readonly prompts: ReadonlyMap<string, OfferedPrompt>;
}

/** The longest list that the protocol admits. */
const MAX_VALUES = 100;

/** Suggests values for the fields of resources and prompts: those of the application, else those of an enum. */
export function createCompletionHandlers(
  { resources, prompts }: Suggesting,
  toInvalid: (message: string) => Error,
): Handlers {
  return {
    'completion/complete': async ({ ref, argument: { name, value }, context: { arguments: given = {} } = {} }) => {
      const offer =
        ref.type === 'ref/prompt' ? prompts.get(ref.name) : resources.find(({ options }) => options.uri === ref.uri);
      if (offer === undefined)
        throw toInvalid(
          ref.type === 'ref/prompt' ? `There is no prompt '${ref.name}'.` : `There is no resource '${ref.uri}'.`,
        );
      const { operation, options } = offer as Suggested;
      const suggest = Object.hasOwn(options.suggest ?? {}, name) ? options.suggest?.[name] : undefined;
      const found = (await suggest?.(value, given)) ?? toChoicesOf(operation.definition.schema, name, value);
      const values = found.slice(0, MAX_VALUES);
      return { completion: { values, total: found.length, hasMore: values.length < found.length } };
    },
  };
}

interface Suggested extends Offered {
  readonly options: OfferOptions;
}

/** The values of an enum that begin with what is typed. */
function toChoicesOf(schema: Schema | undefined, name: string, typed: string): readonly string[] {
  if (schema === undefined) return [];
  const { properties = {} } = describe(schema).input as { properties?: Record<string, { enum?: readonly unknown[] }> };
  const values = Object.hasOwn(properties, name) ? (properties[name]?.enum ?? []) : [];
  return values.map(String).filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
}
