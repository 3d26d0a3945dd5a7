import fc from 'fast-check';

/** A program of a few modules that write down in `globalThis.trace` what happens, and what they wait for in `globalThis.later`. */
export interface GeneratedProgram {
  readonly entry: string;
  readonly files: Readonly<Record<string, string>>;
}

type Kind = 'esm' | 'cjs' | 'json' | 'package' | 'commonjs-package';

interface Node {
  readonly kind: Kind;
  readonly imports: readonly { readonly to: number; readonly form: number }[];
  readonly waits: number;
  readonly throws: boolean;
  readonly lazily: number;
}

const node = (minImports: number) =>
  fc.record<Node>({
    kind: fc.constantFrom('esm', 'esm', 'esm', 'esm', 'cjs', 'json', 'package', 'commonjs-package'),
    imports: fc.array(fc.record({ to: fc.nat(11), form: fc.nat(6) }), {
      minLength: minImports,
      maxLength: 4,
    }),
    waits: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
    throws: fc.nat(40).map((number) => number === 0),
    lazily: fc.nat(12),
  });

interface Plan {
  readonly nodes: readonly Node[];
  /** Whether modules may wait, and import in circles: without both, files can be merged. */
  readonly isPlain: boolean;
}

const plan = fc.record<Plan>({
  nodes: fc
    .tuple(node(2), fc.array(node(0), { minLength: 2, maxLength: 11 }))
    .map(([first, rest]) => [first, ...rest]),
  isPlain: fc.boolean(),
});

/** So many programs, the same each time: with circles, top-level await, CommonJS, JSON, packages, and exports of others. */
export function generatePrograms(count: number): readonly GeneratedProgram[] {
  return fc.sample(plan, { seed: 11, numRuns: count }).map(toProgram);
}

function toProgram(plan: Plan, program: number): GeneratedProgram {
  const files = plan.nodes.map((_, index) => toFile(plan, index, program));
  return { entry: `p${program}/m0.js`, files: Object.assign({}, ...files) };
}

function kindOf({ nodes }: Plan, index: number): Kind {
  return index === 0 ? 'esm' : (nodes[index]?.kind ?? 'esm');
}

function toFile(plan: Plan, index: number, program: number): Readonly<Record<string, string>> {
  const folder = `p${program}`;
  const name = `${program}-${index}`;
  switch (kindOf(plan, index)) {
    case 'json':
      return { [`${folder}/m${index}.json`]: `{"v${index}": ${index}, "long": "${name}"}` };
    case 'package':
      return {
        [`node_modules/package-${name}/package.json`]: `{"name": "package-${name}", "type": "module", "exports": "./index.js"}`,
        [`node_modules/package-${name}/index.js`]: `trace.push('package ${index}');\nexport const v${index} = ${index};\nexport function f${index}() { return 'f${index}'; }\nexport default 'default ${index}';\n`,
      };
    case 'commonjs-package':
      return {
        [`node_modules/package-${name}/package.json`]: `{"name": "package-${name}", "main": "./index.js"}`,
        [`node_modules/package-${name}/index.js`]: `trace.push('package ${index}');\nexports.v${index} = ${index};\nexports.f${index} = () => 'f${index}';\n`,
      };
    case 'cjs':
      return { [`${folder}/m${index}.cjs`]: toCommonJs(plan, index, program) };
    case 'esm':
      return { [`${folder}/m${index}.js`]: toModule(plan, index, program) };
  }
}

function toSpecifier(plan: Plan, to: number, program: number): string {
  const kind = kindOf(plan, to);
  if (kind === 'package' || kind === 'commonjs-package') return `package-${program}-${to}`;
  return `./m${to}.${kind === 'esm' ? 'js' : kind}`;
}

/** What a module imports: in a plain program only what comes later. */
function targetsOf(
  { nodes, isPlain }: Plan,
  index: number,
): readonly { readonly to: number; readonly form: number }[] {
  return (nodes[index]?.imports ?? [])
    .map(({ to, form }) => ({ to: to % nodes.length, form }))
    .filter(({ to }) => to !== index && (!isPlain || to > index));
}

function toCommonJs(plan: Plan, index: number, program: number): string {
  const lines = targetsOf(plan, index)
    .filter(({ to }) => /^(?:cjs|json|commonjs-package)$/.test(kindOf(plan, to)))
    .map(
      ({ to }) =>
        `trace.push('${index} sees ' + JSON.stringify(require('${toSpecifier(plan, to, program)}').v${to}));`,
    );
  return [
    `trace.push('${index} begins');`,
    ...lines,
    `exports.v${index} = ${index};`,
    `exports.f${index} = function () { return 'f${index}'; };`,
    `trace.push('${index} ends');`,
  ].join('\n');
}

function toModule(plan: Plan, index: number, program: number): string {
  const { waits = 0, throws = false, lazily = 0 } = plan.nodes[index] ?? {};
  const imports = targetsOf(plan, index).map(({ to, form }, at) =>
    toImport({
      to,
      form,
      at,
      kind: kindOf(plan, to),
      text: toSpecifier(plan, to, program),
      by: index,
    }),
  );
  const lazy = plan.nodes.length - 1;
  const later =
    !plan.isPlain && index === 0 && lazily === 0 && lazy > 0 && kindOf(plan, lazy) !== 'json'
      ? `later.push(import('${toSpecifier(plan, lazy, program)}').then((all) => trace.push('later ' + Object.keys(all).filter((key) => key !== 'module.exports'))));`
      : '';
  return [
    ...imports.map(({ head }) => head),
    `trace.push('${index} begins');`,
    `export function f${index}() { return 'f${index}'; }`,
    ...imports.map(({ use }) => use),
    ...(plan.isPlain && index > 0
      ? []
      : Array.from({ length: waits }, () => `await null; trace.push('${index} waited');`)),
    throws ? `if (trace.length) throw new TypeError('${index}');` : '',
    `export let count${index} = 0; export function add${index}() { count${index} += 1; }`,
    `export const v${index} = ${index};`,
    later,
    `trace.push('${index} ends');`,
  ].join('\n');
}

interface Import {
  readonly to: number;
  readonly form: number;
  readonly at: number;
  readonly kind: Kind;
  readonly text: string;
  readonly by: number;
}

/** Reads what it imports where it can be read: in a circle it may not be there yet. */
function toImport({ to, form, at, kind, text, by }: Import): {
  readonly head: string;
  readonly use: string;
} {
  const see = (expression: string): string =>
    `try { trace.push('${by} sees ' + ${expression}); } catch (error) { trace.push('${by} sees ' + error.name); }`;
  if (kind === 'json')
    return {
      head: `import data${at} from '${text}' with { type: 'json' };`,
      use: see(`data${at}.v${to}`),
    };
  if (form === 0) return { head: `import '${text}';`, use: '' };
  if (form === 1 && kind === 'esm') return { head: `export * from '${text}';`, use: '' };
  if (form === 2) return { head: `export { v${to} as w${by}_${at} } from '${text}';`, use: '' };
  if (form === 3)
    return { head: `import * as all${at} from '${text}';`, use: see(`all${at}.v${to}`) };
  if (form === 4)
    return { head: `import { f${to} as g${at} } from '${text}';`, use: see(`g${at}()`) };
  if (form === 5 && kind === 'esm')
    return {
      head: `import { add${to} as more${at}, count${to} as sum${at} } from '${text}';`,
      use: see(`(more${at}(), sum${at})`),
    };
  return { head: `import { v${to} as value${at} } from '${text}';`, use: see(`value${at}`) };
}
