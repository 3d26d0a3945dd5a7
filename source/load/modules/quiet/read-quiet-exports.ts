import type {
  AnyNode,
  ExportAllDeclaration,
  ImportDeclaration,
  ModuleDeclaration,
  Pattern,
  Program,
  Statement,
} from 'acorn';
import { findOwnImport, type OwnModule } from '../module-graph.ts';
import { LoudCode, type QuietKind, type QuietScope, toClassKind, toFunctionKind, toQuietKind } from './quiet-kind.ts';

/** The kinds of what a module exports, by name. */
export type QuietExports = ReadonlyMap<string, QuietKind>;

export interface QuietReading {
  readonly module: OwnModule;
  /** Gives the exports of a quiet module of the project, by its id. */
  readonly find: (target: string) => QuietExports | undefined;
}

/** The names of capix that only declare. */
const DECLARING =
  /^(?:capability|define\w+|withTimeout|answer|text|bytes|stream|redirect|noContent|reply|sse|invalidates|blocks)$/;

/** The exports of a module that does nothing but declare. @throws LoudCode */
export function readQuietExports({ body }: Program, options: QuietReading): QuietExports {
  const names = new Map<string, QuietKind>();
  const exports = new Map<string, QuietKind>();
  const scope: QuietScope = (name) => names.get(name);
  for (const node of body) if (node.type === 'ImportDeclaration') takeImports(node, names, options);
  // A function may be called above its place.
  for (const node of body) {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declared?.type === 'FunctionDeclaration') names.set(declared.id.name, toFunctionKind(declared, scope));
  }
  for (const node of body) takeStatement(node, { names, exports, scope, options });
  for (const node of body) {
    if (node.type !== 'ExportNamedDeclaration' || node.source) continue;
    for (const { local, exported } of node.specifiers) exports.set(toName(exported), scope(toName(local)) ?? 'other');
  }
  return exports;
}

interface Reading {
  readonly names: Map<string, QuietKind>;
  readonly exports: Map<string, QuietKind>;
  readonly scope: QuietScope;
  readonly options: QuietReading;
}

function takeStatement(node: Statement | ModuleDeclaration, reading: Reading): void {
  const take = statements[node.type] as ((node: AnyNode, reading: Reading) => void) | undefined;
  if (take === undefined) throw new LoudCode(node.type);
  take(node, reading);
}

type Statements = {
  readonly [Type in AnyNode['type']]?: (node: Extract<AnyNode, { type: Type }>, reading: Reading) => void;
};

/** The readers by the type of a statement. Other types are not quiet. */
const statements: Statements = {
  ImportDeclaration: () => {},
  FunctionDeclaration: () => {},
  EmptyStatement: () => {},
  // `__name(a, "a")` of esbuild, and directives.
  ExpressionStatement: ({ type, expression }) => {
    if (!isNaming(expression)) throw new LoudCode(type);
  },
  VariableDeclaration: ({ declarations }, reading) => {
    for (const { id, init } of declarations) takeVariable(id, init, reading);
  },
  ClassDeclaration: (node, { names, scope }) => {
    const kind = toClassKind(node, scope);
    if (node.id !== null) names.set(node.id.name, kind);
  },
  ExportNamedDeclaration: ({ declaration, source, specifiers }, reading) => {
    const { names, exports, options } = reading;
    if (declaration) takeStatement(declaration, reading);
    for (const name of declaration ? toDeclaredNames(declaration) : []) exports.set(name, names.get(name) ?? 'other');
    if (!source) return;
    const from = expectExports(source.value, options);
    for (const { local, exported } of specifiers) exports.set(toName(exported), from?.get(toName(local)) ?? 'other');
  },
  ExportAllDeclaration: (node, reading) => takeAll(node, reading),
  ExportDefaultDeclaration: ({ declaration }, { exports, scope }) => {
    if (declaration.type === 'ClassDeclaration') exports.set('default', toClassKind(declaration, scope));
    else if (declaration.type === 'FunctionDeclaration') exports.set('default', toFunctionKind(declaration, scope));
    else exports.set('default', toQuietKind(declaration, scope));
  },
};

function takeAll({ source, exported }: ExportAllDeclaration, { exports, options }: Reading): void {
  const from = expectExports(source.value, options);
  if (exported) return void exports.set(toName(exported), toNamespaceKind(from));
  if (!(from instanceof Map)) throw new LoudCode('ExportAllDeclaration');
  for (const [name, kind] of from) if (name !== 'default' && !exports.has(name)) exports.set(name, kind);
}

function takeVariable(id: Pattern, init: AnyNode | null | undefined, { names, scope }: Reading): void {
  // The helpers of esbuild that give functions their names.
  const isHelper = id.type === 'Identifier' && (id.name === '__name' || id.name === '__defProp');
  if (isHelper) return void names.set(id.name, 'other');
  const kind = toQuietKind(init, scope);
  if (id.type === 'Identifier') return void names.set(id.name, kind);
  if (id.type !== 'ObjectPattern') throw new LoudCode(id.type);
  for (const each of id.properties) {
    if (each.type !== 'Property' || each.computed || each.value.type !== 'Identifier') throw new LoudCode(each.type);
    names.set(each.value.name, kind === 'data' ? 'data' : 'other');
  }
}

function takeImports(node: ImportDeclaration, names: Map<string, QuietKind>, options: QuietReading): void {
  const from = expectExports(node.source.value, options);
  for (const specifier of node.specifiers) {
    const { name } = specifier.local;
    if (specifier.type === 'ImportNamespaceSpecifier') names.set(name, toNamespaceKind(from));
    else
      names.set(
        name,
        from?.get(specifier.type === 'ImportSpecifier' ? toName(specifier.imported) : 'default') ?? 'other',
      );
  }
}

/** A namespace of the project's data is data. */
function toNamespaceKind(from: Pick<QuietExports, 'get'> | undefined): QuietKind {
  if (from instanceof Map) return [...from.values()].every((kind) => kind === 'data') ? 'data' : 'other';
  return from === zodExports ? 'data' : 'other';
}

const zodExports: Pick<QuietExports, 'get'> = { get: () => 'data' };
const capixExports: Pick<QuietExports, 'get'> = { get: (name) => (DECLARING.test(name) ? 'data' : 'other') };

/** Undefined for what is outside and unknown: modules of Node. @throws LoudCode */
function expectExports(
  text: unknown,
  { module, find }: QuietReading,
): Pick<QuietExports, 'get'> | QuietExports | undefined {
  const own = findOwnImport(module, String(text));
  if (own !== undefined) {
    const exports = find(own.target);
    if (exports === undefined) throw new LoudCode(own.target);
    return exports;
  }
  if (text === 'zod' || String(text).startsWith('zod/')) return zodExports;
  return text === 'capix' ? capixExports : undefined;
}

function isNaming(node: AnyNode): boolean {
  if (node.type === 'Literal') return true;
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === '__name';
}

function toDeclaredNames(node: AnyNode): readonly string[] {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id ? [node.id.name] : [];
  if (node.type !== 'VariableDeclaration') return [];
  return node.declarations.flatMap(({ id }) => {
    if (id.type === 'Identifier') return [id.name];
    if (id.type !== 'ObjectPattern') return [];
    return id.properties.flatMap((each) =>
      each.type === 'Property' && each.value.type === 'Identifier' ? [each.value.name] : [],
    );
  });
}

function toName(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : '';
}
