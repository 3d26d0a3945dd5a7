/**
 * The zod that capix itself imports, as in a project where both are installed. The other frameworks have a copy of their own in `test/bench`: with that
 * one, a server in capix would load zod twice.
 */
export * from '../../node_modules/zod/index.js';
