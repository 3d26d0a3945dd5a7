import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-5.9';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile, compilerNames, type Messages, typedProject } from '../helpers/compile-types.ts';
import { packageRoot } from '../helpers/run-capix.ts';

interface PublicExport {
  readonly name: string;
  readonly from: string;
  readonly symbol: ts.Symbol;
  readonly isValue: boolean;
}

const { exports } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};
/** What can be imported, by the name that it is imported from: the file of its types. */
const entries = Object.entries(exports).flatMap(([entry, { types }]) =>
  types === undefined ? [] : [[entry.replace('.', 'capix'), join(packageRoot, types)] as const],
);
const files = entries.map(([, file]) => file);
const program = ts.createProgram(files, {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  types: ['node'],
});
const checker = program.getTypeChecker();
const all = entries.flatMap(([from, path]): readonly PublicExport[] => {
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  return (module === undefined ? [] : checker.getExportsOfModule(module)).map((exported) => {
    const symbol =
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    return {
      name: exported.name,
      from,
      symbol,
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
    };
  });
});

/** What is unset must not look like what is off: these are left out, and never undefined. */
const securityOptions = ['CookieOptions.secrets', 'McpOptions.authorize', 'McpOptions.secret'];

describe('the public surface', () => {
  it('is found', () => {
    expect(all.length).toBeGreaterThan(100);
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['capability', 'createClient', 'mcpTransport', 'testServer']),
    );
  });

  it('says of every export what it is', () => {
    expect(all.filter(({ symbol }) => !isDocumented(symbol)).map(({ name }) => name)).toEqual([]);
  });

  it('says of every member what it is', () => {
    expect(
      all.flatMap(({ name, symbol }) =>
        membersOf(symbol)
          .filter(isSilent)
          .map((member) => `${name}.${toName(member)}`),
      ),
    ).toEqual([]);
  });

  it('takes undefined for whatever may be left out, as a project with exactOptionalPropertyTypes has it', () => {
    const isDocument = (name: string): boolean =>
      /^OpenApiDocument$|(?<!License|Server)Object$/.test(name);
    const strict = all.flatMap(({ name, symbol }) =>
      isDocument(name)
        ? []
        : membersOf(symbol)
            .filter(isStrictlyOptional)
            .map((member) => `${name}.${toName(member)}`),
    );
    expect(strict).toEqual(securityOptions);
  });

  it('shows by an example, here or on a page, how each function, class and constant is used', () => {
    const pages = readdirSync(join(packageRoot, 'docs')).filter((name) => name.endsWith('.md'));
    const blocks = pages.flatMap(
      (name) =>
        readFileSync(join(packageRoot, 'docs', name), 'utf8').match(/^ *```[jt]s\n[^]*?^ *```/gm) ??
        [],
    );
    const isOnPage = (name: string): boolean =>
      blocks.some((block) => new RegExp(`\\b${name}\\b`).test(block));
    const without = all.filter(({ isValue, symbol }) => isValue && examplesOf(symbol).length === 0);
    expect(without.map(({ name }) => name).filter((name) => !isOnPage(name))).toEqual([]);
  });
});

describe.each(compilerNames)('the examples, by %s', (compiler) => {
  const examples = all.flatMap(({ name, symbol }) =>
    examplesOf(symbol).map((code, index) => ({ name: `${name}-${index + 1}`, code })),
  );
  let messages: Messages = {};
  beforeAll(async () => {
    const sources = examples.map(({ name, code }) => [
      `${name}.ts`,
      `${toImports(code)}\n${code}\nexport {};\n`,
    ]);
    messages = await compile(
      await typedProject({ files: { ...Object.fromEntries(sources), ...imported } }),
      compiler,
    );
  });

  it.each(examples)('compiles $name', ({ name }) => {
    expect(messages[`${name}.ts`]).toBeUndefined();
  });

  it('finds what they import', () => {
    for (const file of Object.keys(imported)) expect(messages[file]).toBeUndefined();
  });
});

/** What examples import besides packages: an application as \`capix new\` makes it. */
const imported = {
  'users/get-user.ts': `import { capability } from 'capix';\nimport * as z from 'zod';\nexport const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' }));`,
  'users/index.ts': `export { getUser } from './get-user.js';`,
  'capabilities/index.ts': `import { getUser } from '../users/get-user.js';\nexport const items = { getItem: getUser, createItem: getUser, listItems: getUser };`,
  'invoices/index.ts': `import { capability } from 'capix';\nimport * as z from 'zod';\nexport const listInvoices = capability(z.object({ orgId: z.string() }), ({ orgId }) => [orgId]);`,
};

/** An example names what it is about as the reader has it: imported. */
function toImports(code: string): string {
  const words = new Set(code.match(/\b[A-Za-z]\w*\b/g));
  const own = new Set(
    [...code.matchAll(/\b(?:const|function|class|interface|type|import) (?:type )?(\w+)/g)].map(
      ([, name]) => name,
    ),
  );
  const names = all.filter(
    ({ name, from }) => from === 'capix' && words.has(name) && !own.has(name),
  );
  const imports = names.map(({ name, isValue }) => (isValue ? name : `type ${name}`));
  const isTaken = /from 'capix'/.test(code);
  const server =
    words.has('server') && !own.has('server')
      ? "declare const server: import('capix').Server;"
      : '';
  return `${server}${words.has('z') ? "import * as z from 'zod';" : ''}${imports.length === 0 || isTaken ? '' : `import { ${imports.join(', ')} } from 'capix';`}`;
}

function isDocumented(symbol: ts.Symbol): boolean {
  return symbol.getDocumentationComment(checker).length > 0;
}

/** The code of its examples, each between fences. */
function examplesOf(symbol: ts.Symbol): readonly string[] {
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example');
  const texts = tags.map(({ text }) => ts.displayPartsToString(text));
  return [
    ...new Set(
      texts.flatMap((text) =>
        [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code),
      ),
    ),
  ];
}

type Member = ts.TypeElement | ts.ClassElement;

/** What an interface, a class or an object type declares itself, but for what is marked by symbols. */
function membersOf(symbol: ts.Symbol): readonly Member[] {
  return (symbol.declarations ?? []).flatMap((declaration): readonly Member[] => {
    if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration))
      return [...declaration.members];
    return ts.isTypeAliasDeclaration(declaration) && ts.isTypeLiteralNode(declaration.type)
      ? [...declaration.type.members]
      : [];
  });
}

function isStrictlyOptional(member: Member): boolean {
  if (
    !ts.isPropertySignature(member) ||
    member.questionToken === undefined ||
    ts.isComputedPropertyName(member.name)
  )
    return false;
  return !/\b(undefined|unknown|any)\b/.test(member.type?.getText() ?? '');
}

function isSilent(member: Member): boolean {
  const isInner =
    ts.isConstructorDeclaration(member) ||
    (member.name !== undefined && ts.isComputedPropertyName(member.name));
  return !isInner && ts.getJSDocCommentsAndTags(member).length === 0;
}

function toName(member: Member): string {
  return member.name === undefined ? ts.SyntaxKind[member.kind] : member.name.getText();
}
