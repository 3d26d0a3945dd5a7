import { register } from 'node:module';

// The suite imports `globSync` of node:fs for a command that is not run here, and Node 20 has none.
register('./without-glob.mjs', import.meta.url);
