// The public surface of `capix/testing`.

export { mockContext, type TestServer, type TestServerOptions, testServer } from './test-server.ts';
