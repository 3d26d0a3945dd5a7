import { defaultErrors } from '../errors/default-errors.ts';
import type { ErrorFactory } from '../errors/define-error.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import type { ReferenceObject, ResponseObject } from './openapi-document.ts';

/** The responses of a document that several operations give. */
export interface ErrorResponses {
  /** Answers by status for these errors; each is a reference to a component. */
  readonly add: (errors: readonly ErrorFactory[]) => Record<string, ReferenceObject>;
  readonly components: () => Record<string, ResponseObject>;
}

/** `errorSchema` is the reference to the envelope `{error, message, meta?}`. */
export function createErrorResponses(errorSchema: JsonSchema): ErrorResponses {
  const components = new Map<string, ResponseObject>();
  const contents = new Map<string, string>();
  const nameOf = (errors: readonly ErrorFactory[], response: ResponseObject): string => {
    const wanted = errors.map(({ errorName }) => errorName.replace(/[^\w.-]/g, '_')).join('Or');
    const content = JSON.stringify(response);
    for (let attempt = 1; ; attempt++) {
      const name = attempt === 1 ? wanted : `${wanted}${attempt}`;
      if (components.has(name) && contents.get(name) !== content) continue;
      components.set(name, response);
      contents.set(name, content);
      return name;
    }
  };
  return {
    add: (errors) => {
      const byStatus = new Map<number, ErrorFactory[]>();
      for (const error of errors) byStatus.set(error.status, [...(byStatus.get(error.status) ?? []), error]);
      return Object.fromEntries(
        [...byStatus].map(([status, same]) => {
          const name = nameOf(same, toResponse(same, errorSchema));
          return [String(status), { $ref: `#/components/responses/${name}` }];
        }),
      );
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** What every error answer looks like. */
export const errorEnvelope: JsonSchema = {
  type: 'object',
  description: 'Why the call did not succeed.',
  properties: {
    error: { type: 'string', description: 'Name of the error.' },
    message: { type: 'string', description: 'What went wrong, for people.' },
    meta: { type: 'object', description: 'Facts about this error.', additionalProperties: true },
  },
  required: ['error', 'message'],
};

function toResponse(errors: readonly ErrorFactory[], errorSchema: JsonSchema): ResponseObject {
  const names = errors.map(({ errorName }) => errorName);
  const isValidation = errors.some((error) => isSame(error, defaultErrors.BadRequest));
  const isTemporary = errors.some(({ status }) => status === 429 || status === 503);
  return {
    description: [...new Set(errors.map(({ defaultMessage }) => defaultMessage))].join(', or '),
    ...(isTemporary
      ? {
          headers: {
            'Retry-After': { description: 'Seconds to wait, where they are known.', schema: { type: 'integer' } },
          },
        }
      : {}),
    content: {
      'application/json': {
        schema: {
          allOf: [
            errorSchema,
            {
              type: 'object',
              properties: { error: { enum: names }, ...(isValidation ? { meta: validationMeta } : {}) },
            },
          ],
        },
      },
    },
  };
}

function isSame(one: ErrorFactory, other: ErrorFactory): boolean {
  return one.status === other.status && one.errorName === other.errorName;
}

const validationMeta: JsonSchema = {
  type: 'object',
  properties: {
    issues: { type: 'array', items: { type: 'string' }, maxItems: 50, examples: [['email: Invalid email']] },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            description: 'Names from the outside in, joined by dots; empty for the whole input.',
          },
          message: { type: 'string' },
          code: { type: 'string' },
          received: { description: 'What was sent, at most 200 characters; absent for secrets.' },
        },
        required: ['path', 'message', 'code'],
      },
      maxItems: 50,
    },
    omitted: { type: 'integer', description: 'How many problems there are besides; absent where all are told.' },
  },
};
