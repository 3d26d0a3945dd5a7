import type { Manifest } from '../project/manifest.ts';
import type { FormField } from '../ui/form-schema.ts';
import { searchFuzzily } from '../ui/fuzzy-filter.ts';
import type { Line } from '../ui/line-segments.ts';
import { toMethodToken } from '../ui/theme.ts';
import type { FileChange } from './file-change.ts';
import type { Generated } from './generate-capability.ts';

/** What is asked for a capability. */
export const generateFields: readonly FormField[] = [
  {
    name: 'group',
    kind: { kind: 'text' },
    type: 'users, or products/variants; none is the root',
    isRequired: false,
    note: '',
  },
  {
    name: 'name',
    kind: { kind: 'text' },
    type: 'as getUser: method and path follow from it',
    isRequired: true,
    note: '',
  },
  {
    name: 'input',
    kind: { kind: 'toggle' },
    type: 'an input schema with an id',
    isRequired: false,
    default: 'false',
    note: '',
  },
];

/** Groups that begin like what was typed, the best first; all of them before anything is typed. */
export function toGroupSuggestions({ capabilities }: Pick<Manifest, 'capabilities'>, typed: string): readonly string[] {
  const groups = [...new Set(capabilities.map(({ groups: names }) => names.join('/')))].filter((group) => group !== '');
  return searchFuzzily(groups, typed, { getText: (group) => group })
    .map(({ item }) => item)
    .filter((group) => group !== typed);
}

/** What would be written, in lines: key and route, the files, the text of the capability. */
export function toPreviewLines({ key, route, changes }: Generated): readonly Line[] {
  return [
    [
      { text: 'Key    ', token: 'muted' },
      { text: key, token: 'title' },
    ],
    ...(route === undefined
      ? []
      : [
          [
            { text: 'Route  ', token: 'muted' },
            { text: route.method, token: toMethodToken(route.method) },
            { text: ` ${route.path}` },
          ] satisfies Line,
        ]),
    ...(route?.lacksId
      ? [[{ text: 'The path has `:id`, which only an input brings to the handler.', token: 'warning' }] satisfies Line]
      : []),
    [],
    ...changes.flatMap(toChangeLines),
  ];
}

function toChangeLines({ kind, path, line, text }: FileChange): readonly Line[] {
  const head: Line = [
    { text: kind === 'created' ? 'new     ' : 'change  ', token: kind === 'created' ? 'added' : 'changed' },
    { text: path },
  ];
  const added = line === undefined ? text.trimEnd().split('\n') : [line];
  return [head, ...added.map((part): Line => [{ text: `  + ${part}`, token: 'added' }]), []];
}
