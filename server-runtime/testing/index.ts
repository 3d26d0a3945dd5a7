// The public surface of `capix/testing`.

export type { TestJobs } from './test-jobs.ts';
export { mockContext, type TestServer, type TestServerOptions, testServer } from './test-server.ts';
