/**
 * The parser of forms. The build bundles it into this module: it is CommonJS, whose `require('node:stream')` would not outlive the bundle of a
 * server.
 */
export { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
