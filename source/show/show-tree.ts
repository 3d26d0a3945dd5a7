import { toCurl } from '../project/curl-text.ts';
import type { Manifest, ManifestCapability } from '../project/manifest.ts';
import { toSampleValue } from '../project/sample-input.ts';
import type { SchemaField } from '../project/schema-fields.ts';
import type { Line } from '../ui/line-segments.ts';
import { textWidth, wrapText } from '../ui/text-width.ts';
import { type Token, toMethodToken } from '../ui/theme.ts';
import type { TreeNode } from '../ui/tree-state.ts';
import { describeCapability, type SchemaDescription, toFieldNote } from './describe-capability.ts';

/** Everything that is known of a capability, as a tree whose lines are at most `width` columns wide. */
export function toShowTree(
  capability: ManifestCapability,
  { manifest, width }: { readonly manifest: Manifest; readonly width: number },
): readonly TreeNode[] {
  const facts = describeCapability(capability, manifest);
  const { method, path, explanation } = capability;
  const curl = toCurl(capability, { baseUrl: 'http://localhost:3000', input: toSampleValue(capability.input?.json) });
  const section = toSection(width);
  const why = [
    ...section.text('fired', explanation.fired.replace(/^[A-Z]+ \S+: /, '')),
    ...section.text('nearest', explanation.nearest, 'muted'),
    ...section.text('change', explanation.change, 'muted'),
  ];
  const nodes: readonly (TreeNode | undefined)[] = [
    ...(facts.description ? section.text('description', facts.description) : []),
    facts.deprecation === undefined ? undefined : section.fact('Deprecated', facts.deprecation, 'warning'),
    {
      id: 'route',
      line: [...label('Route'), { text: method, token: toMethodToken(method) }, { text: ` ${path}` }],
      copied: `${method} ${path}`,
      children: why,
    },
    section.fact('Intent', facts.intent),
    section.list('Guards', facts.guards, 'public'),
    section.list('Enhancers', facts.enhancers),
    section.list('Errors', facts.errors),
    facts.tool === undefined ? undefined : section.fact('Agents', facts.tool),
    toSchemaNode('Input', facts.input, 'none declared: the handler gets the fields as they arrive'),
    toSchemaNode('Output', facts.output, 'none declared'),
    section.list('Same input', facts.sameInput),
    facts.source === undefined ? undefined : section.fact('Source', facts.source),
    { id: 'curl', line: [...label('curl'), { text: curl }], copied: curl },
  ];
  return nodes.filter((node) => node !== undefined);
}

const LABEL_WIDTH = 12;

function label(text: string): Line {
  return [{ text: text.padEnd(LABEL_WIDTH), token: 'accent' }];
}

function toSection(width: number) {
  return {
    text: (id: string, text: string, token?: Token): readonly TreeNode[] =>
      wrapText(text, width - 8).map((line, index) => ({
        id: `${id} ${index}`,
        line: [{ text: line, token }],
        copied: text,
      })),
    fact: (name: string, value: string, token?: Token): TreeNode => ({
      id: name,
      line: [...label(name), { text: value, token }],
      copied: value,
    }),
    list: (name: string, values: readonly string[], none?: string): TreeNode | undefined => {
      if (values.length === 0 && none === undefined) return undefined;
      const first = values.length === 0 ? none : values.length === 1 ? values[0] : `${values.length}`;
      return {
        id: name,
        line: [...label(name), { text: first ?? '', ...(values.length === 0 ? { token: 'muted' as const } : {}) }],
        copied: values.join('\n'),
        children:
          values.length < 2
            ? []
            : values.map((value) => ({ id: `${name} ${value}`, line: [{ text: value }], copied: value })),
      };
    },
  };
}

function toSchemaNode(title: string, schema: SchemaDescription | undefined, missing: string): TreeNode {
  if (schema === undefined) return { id: title, line: [...label(title), { text: missing, token: 'muted' }] };
  const type: Line = [{ text: schema.type, token: 'keyword' }];
  return { id: title, line: [...label(title), ...type], children: toFieldNodes(schema.fields, title) };
}

function toFieldNodes(fields: readonly SchemaField[], path: string): readonly TreeNode[] {
  const nameWidth = Math.max(0, ...fields.map(({ name }) => textWidth(name)));
  const typeWidth = Math.min(30, Math.max(0, ...fields.map(({ type }) => textWidth(type))));
  return fields.map((field) => {
    const { name, type } = field;
    const id = `${path}.${name}`;
    return {
      id,
      line: [
        { text: `${name}${' '.repeat(nameWidth - textWidth(name) + 2)}` },
        { text: `${type}${' '.repeat(Math.max(0, typeWidth - textWidth(type)) + 2)}`, token: 'keyword' },
        { text: toFieldNote(field), token: 'muted' },
      ],
      copied: `${name}: ${type}`,
      children: toFieldNodes(field.fields, id),
    };
  });
}
