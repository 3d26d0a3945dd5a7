// The public surface of `capix/testing`.

export { mockContext } from './mock-context.ts';
export type { TestJobs } from './test-jobs.ts';
export { type TestServer, type TestServerOptions, testServer } from './test-server.ts';
