import type { TypeMistake } from './type-mistake.ts';

export const pluginMistakes: readonly TypeMistake[] = [
  {
    title: 'a plugin that declares a key again',
    code: `const again = definePlugin({ capabilities: { users: { getUser } } });\ncreateServer({ context, capabilities, plugins: [again] });`,
    says: [`Two owners declare the capability 'users.getUser'. Rename it in one of them.`],
  },
  {
    title: 'a plugin that sets a field again',
    code: `const again = definePlugin({ context: () => ({ db: 1 }) });\ncreateServer({ context, capabilities, plugins: [again] });`,
    says: [`Two owners set 'db' in the context. Rename it in one of them.`],
  },
  {
    title: 'a plugin that reads what the context has not',
    code: `const reader = definePlugin({ context: (_request, ctx: { session: Session }) => ({ token: ctx.session.token }) });\ncreateServer({ context, capabilities, plugins: [reader] });`,
    says: [`'session' is missing in type`],
  },
  {
    title: 'a capability of a plugin that the context does not fit',
    code: `const more = definePlugin({ capabilities: { more: { getUser } } });\ncreateServer({ plugins: [more] });`,
    says: [`'context' is missing in type`],
  },
  {
    title: 'a misspelt option of a plugin',
    code: `definePlugin({ capabilites: {} });`,
    says: [`'capabilites' does not exist`, `Did you mean to write 'capabilities'?`],
  },
  {
    title: 'a plugin that adds a text',
    code: `definePlugin({ context: () => 'x' });`,
    says: [`'string' is not assignable to type`, `object`],
  },
];
