import type { AnyNode, CallExpression, Class, Function as FunctionNode, NewExpression } from 'acorn';

/**
 * The kinds of what a name or an expression stands for:
 *
 * - `data`: made by zod, capix or the language, without functions of the project that could be called through it;
 * - `callable`: a function of the project that only declares when it is called with data;
 * - `other`: may be handed on, and no more.
 */
export type QuietKind = 'data' | 'callable' | 'other';

/** The kinds of the names at a place of the code. */
export type QuietScope = (name: string) => QuietKind | undefined;

/** Code that may do more than declare. */
export class LoudCode extends Error {}

/** Names that every module has, and what nobody notices of them. */
const GLOBAL_CALLS =
  /^(?:Object\.(?:freeze|fromEntries|entries|keys|values)|Array\.(?:of|from|isArray)|Math\.(?!random)\w+|JSON\.stringify|Number|String|Boolean|BigInt|Symbol)$/;
const GLOBAL_CLASSES = /^(?:Map|Set|WeakMap|WeakSet|RegExp|URL|Error|Intl\.\w+)$/;
const GLOBALS =
  /^(?:undefined|NaN|Infinity|Object|Array|Number|String|Boolean|BigInt|Symbol|Error|Date|RegExp|URL|Map|Set|File|Blob|Uint8Array|Buffer)$/;
/** Methods that call a function at once. */
const CALLING_AT_ONCE =
  /^(?:map|filter|flatMap|forEach|reduce|reduceRight|find\w*|some|every|toSorted|replace|replaceAll|from|apply|call|bind|with|then)$/;
/** Methods that change what they are called on, register it by name, or run what was declared. */
const CHANGING =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|add|delete|clear|config|setErrorMap|register|remove|implement\w*|start|stop|listen|invoke)$|parse|decode|encode|validate/i;

/** The kind of an expression that does nothing but make a value. @throws LoudCode */
export function toQuietKind(node: AnyNode | null | undefined, scope: QuietScope): QuietKind {
  if (node === null || node === undefined) return 'data';
  const toKind = kinds[node.type] as ((node: AnyNode, scope: QuietScope) => QuietKind) | undefined;
  return toKind === undefined ? loud(node) : toKind(node, scope);
}

type Kinds = {
  readonly [Type in AnyNode['type']]?: (node: Extract<AnyNode, { type: Type }>, scope: QuietScope) => QuietKind;
};

/** The kinds by the type of an expression. Other types are not quiet. */
const kinds: Kinds = {
  Literal: () => 'data',
  Identifier: (node, scope) => scope(node.name) ?? (GLOBALS.test(node.name) ? 'other' : loud(node)),
  ArrowFunctionExpression: (node, scope) => toFunctionKind(node, scope),
  FunctionExpression: (node, scope) => toFunctionKind(node, scope),
  ClassExpression: (node, scope) => toClassKind(node, scope),
  TemplateLiteral: ({ expressions }, scope) => toDataKind(expressions, scope),
  ArrayExpression: ({ elements }, scope) => toWhole(elements.map((each) => toQuietKind(each, scope))),
  ObjectExpression: ({ properties }, scope) => toWhole(properties.map((each) => toPropertyKind(each, scope))),
  SpreadElement: ({ argument }, scope) => toQuietKind(argument, scope),
  UnaryExpression: (node, scope) => (node.operator === 'delete' ? loud(node) : toQuietKind(node.argument, scope)),
  BinaryExpression: ({ left, right }, scope) => toDataKind([left, right], scope),
  LogicalExpression: ({ left, right }, scope) => toWhole([left, right].map((each) => toQuietKind(each, scope))),
  ConditionalExpression: ({ test, consequent, alternate }, scope) => {
    toQuietKind(test, scope);
    return toWhole([consequent, alternate].map((each) => toQuietKind(each, scope)));
  },
  ChainExpression: ({ expression }, scope) => toQuietKind(expression, scope),
  MemberExpression: ({ computed, property, object }, scope) => {
    if (computed) toDataKind([property], scope);
    return toQuietKind(object, scope) === 'data' ? 'data' : 'other';
  },
  CallExpression: (node, scope) => toCallKind(node, scope),
  NewExpression: (node, scope) => toNewKind(node, scope),
};

/** @throws LoudCode where one of them is not data */
function toDataKind(nodes: readonly (AnyNode | null)[], scope: QuietScope): 'data' {
  for (const node of nodes) if (toQuietKind(node, scope) !== 'data') loud(node);
  return 'data';
}

/** A whole with a function in it is not data any more. */
function toWhole(kinds: readonly QuietKind[]): QuietKind {
  return kinds.every((kind) => kind === 'data') ? 'data' : 'other';
}

function toPropertyKind(node: AnyNode, scope: QuietScope): QuietKind {
  if (node.type === 'SpreadElement') return toQuietKind(node.argument, scope);
  if (node.type !== 'Property') return loud(node);
  if (node.computed) toDataKind([node.key], scope);
  return node.kind === 'init' ? toQuietKind(node.value, scope) : 'other';
}

function toCallKind(node: CallExpression, scope: QuietScope): QuietKind {
  const { callee, arguments: args } = node;
  const name = toDottedName(callee);
  const isGlobal = name !== undefined && GLOBAL_CALLS.test(name) && scope(name.split('.')[0] ?? '') === undefined;
  if (isGlobal) return toArguments(args, scope, CALLING_AT_ONCE.test(name.split('.')[1] ?? ''));
  // `__name(value, "name")` of esbuild.
  if (name === '__name') return toQuietKind(args[0] ?? null, scope);
  if (callee.type === 'MemberExpression') {
    const { object, property } = callee;
    if (callee.computed || property.type !== 'Identifier' || toQuietKind(object, scope) !== 'data') return loud(node);
    const isNamespace = object.type === 'Identifier';
    if (CHANGING.test(property.name) && !(isNamespace && property.name === 'set')) return loud(node);
    if (property.name === 'meta' && JSON.stringify(args).includes('"name":"id"')) return loud(node);
    return toArguments(args, scope, CALLING_AT_ONCE.test(property.name));
  }
  const kind = toQuietKind(callee, scope);
  if (kind === 'callable') return toDataKind(args, scope);
  return kind === 'data' && callee.type !== 'ArrowFunctionExpression' ? toArguments(args, scope, false) : loud(node);
}

/** `areCalled`: whether functions among them are called at once. */
function toArguments(args: readonly AnyNode[], scope: QuietScope, areCalled: boolean): 'data' {
  for (const arg of args) {
    const kind = toQuietKind(arg, scope);
    if (areCalled && kind === 'other') loud(arg);
  }
  return 'data';
}

function toNewKind(node: NewExpression, scope: QuietScope): QuietKind {
  const name = toDottedName(node.callee) ?? '';
  if (scope(name.split('.')[0] ?? '') !== undefined) return loud(node);
  const isDate = name === 'Date' && node.arguments.length > 0;
  if (!isDate && !GLOBAL_CLASSES.test(name)) return loud(node);
  toDataKind(node.arguments, scope);
  return isDate ? 'data' : 'other';
}

function toDottedName(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.object.type !== 'Identifier') return undefined;
  return node.property.type === 'Identifier' ? `${node.object.name}.${node.property.name}` : undefined;
}

/** A function says nothing while nobody calls it. */
export function toFunctionKind(node: FunctionNode, scope: QuietScope): QuietKind {
  if (node.async || node.generator || !node.params.every(({ type }) => type === 'Identifier')) return 'other';
  const names = new Map<string, QuietKind>();
  for (const param of node.params) if (param.type === 'Identifier') names.set(param.name, 'data');
  const inner: QuietScope = (name) => names.get(name) ?? scope(name);
  try {
    const statements = node.body.type === 'BlockStatement' ? node.body.body : [];
    if (node.body.type !== 'BlockStatement' && toQuietKind(node.body, inner) !== 'data') return 'other';
    for (const statement of statements) {
      if (statement.type === 'ReturnStatement') {
        if (toQuietKind(statement.argument, inner) !== 'data') return 'other';
      } else if (statement.type === 'VariableDeclaration' && statement.kind === 'const') {
        for (const { id, init } of statement.declarations) {
          if (id.type !== 'Identifier') return 'other';
          names.set(id.name, toQuietKind(init, inner));
        }
      } else return 'other';
    }
    return 'callable';
  } catch (thrown) {
    if (thrown instanceof LoudCode) return 'other';
    throw thrown;
  }
}

/** A class that has nothing of its own before somebody makes an instance, which nobody does here. */
export function toClassKind({ superClass, body }: Class, scope: QuietScope): 'other' {
  if (superClass !== null && superClass !== undefined) toQuietKind(superClass, scope);
  for (const member of body.body) {
    const isPlain = (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') && !member.static;
    if (!isPlain || member.computed) loud(member);
  }
  return 'other';
}

function loud(node: AnyNode | null | undefined): never {
  throw new LoudCode(node?.type);
}
