/** Words to write JSON Schemas with. */

export const text = (description) => ({ type: 'string', ...(description && { description }) });
export const count = (description) => ({ type: 'integer', minimum: 0, ...(description && { description }) });
export const number = (description) => ({ type: 'number', minimum: 0, ...(description && { description }) });
export const flag = (description) => ({ type: 'boolean', ...(description && { description }) });
export const list = (items, description) => ({ type: 'array', items, ...(description && { description }) });
export const choice = (...values) => ({ enum: values });
export const part = (name) => ({ $ref: `#/$defs/${name}` });
export const anything = { description: 'Any JSON' };

export function object(fields, description) {
  const names = Object.keys(fields);
  return {
    type: 'object',
    ...(description && { description }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name]])),
    required: names.filter((name) => !name.endsWith('?')),
  };
}
