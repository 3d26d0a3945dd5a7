import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLinker, type LinkedProgram, type LinkOptions } from '../../../../source/load/modules/linker.ts';
import type { CompiledModule } from '../../../../source/load/modules/module-compiler.ts';
import type { OwnModule } from '../../../../source/load/modules/module-graph.ts';

/** A module of TypeScript: what it exports itself, and from which others it imports, exports one name, or exports all. */
interface Sketch {
  readonly exports: readonly string[];
  readonly uses: readonly { readonly of: number; readonly how: 'import' | 'export' | 'star'; readonly name: string }[];
  readonly version: number;
}

const names = ['a', 'b', 'T'];
const name = fc.constantFrom(...names);
const sketch = fc.record<Sketch>({
  exports: fc.uniqueArray(name),
  uses: fc.array(fc.record({ of: fc.nat(5), how: fc.constantFrom('import', 'export', 'star'), name }), {
    maxLength: 3,
  }),
  version: fc.nat(2),
});

function toCode({ exports, uses, version }: Sketch): string {
  const statements = uses.map(({ of, how, name: used }, index) =>
    how === 'star'
      ? `export * from "./m${of}.ts";`
      : how === 'export'
        ? `export { ${used} as r${index} } from "./m${of}.ts";`
        : `import { ${used} as i${index} } from "./m${of}.ts";`,
  );
  return [...statements, `import "outside";`, ...exports.map((each) => `export const ${each} = ${version};`)].join(
    '\n',
  );
}

/** Modules and code that have not changed are the same objects, as a compiler gives them. */
function createProject() {
  const modules = new Map<string, OwnModule>();
  const compiled = new Map<string, CompiledModule>();
  return (sketches: readonly Sketch[], outside: string): LinkOptions => {
    for (const [index, each] of sketches.entries()) {
      const id = `m${index}.ts`;
      const code = toCode(each);
      if (compiled.get(id)?.code === code) continue;
      compiled.set(id, { code, mapLine: '', time: '' });
      const imports = each.uses.map(({ of }) => `m${of}.ts`);
      modules.set(id, {
        id,
        path: `/p/${id}`,
        format: 'esm',
        imports: imports.map((target) => ({ kind: 'static', target, isOwn: true, text: `./${target}` })),
      });
    }
    return {
      graph: { entry: 'm0.ts', modules: new Map(modules) },
      compiled: new Map(compiled),
      folder: '/p/.capix',
      findOutside: () => outside,
    };
  };
}

it('a program that is linked after others is the same as one that is linked first', async () => {
  const saves = fc.array(fc.record({ at: fc.nat(5), to: sketch, outside: fc.constantFrom('x', 'x', 'x', 'y') }), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sketch, { minLength: 6, maxLength: 6 }), saves, async (first, changes) => {
      const toOptions = createProject();
      const linker = createLinker();
      const sketches = [...first];
      const texts = new Map<string, string>();
      await linker.link(toOptions(sketches, 'x'));
      for (const { at, to, outside } of changes) {
        sketches[at] = to;
        const options = toOptions(sketches, outside);
        const fresh = createLinker();
        expect(await linker.missesImports(options)).toBe(await fresh.missesImports(options));
        const program = await linker.link(options);
        expect(toTexts(program)).toEqual(toTexts(await fresh.link(options)));
        // Nobody reads a file again under its name.
        for (const [file, toText] of program.files) expect(toText()).toBe(texts.get(file) ?? toText());
        for (const [file, toText] of program.files) texts.set(file, toText());
      }
    }),
    { numRuns: 150 },
  );
});

/** By the ids of modules, in place of names that tell of more than the text. */
function toTexts({ entry, names: fileNames, files }: LinkedProgram): unknown {
  const ids = new Map([...fileNames].map(([id, file]) => [file, id]));
  const toIds = (text: string) => text.replaceAll(/m\d\.ts-\w+\.mjs/g, (file) => ids.get(file) ?? 'nothing');
  return [ids.get(entry), [...files].map(([file, toText]) => [ids.get(file), toIds(toText())])];
}
