/**
 * The frame of every server under test: tells the parent its port, and answers `usage` with what the process has used.
 * `listen(app)` starts the server of one application, 'small' or 'large', on a free port and gives the port.
 */
export async function serve(listen) {
  const port = await listen(process.argv[2] ?? 'small');
  process.on('message', (message) => {
    if (message === 'usage') {
      const { user, system } = process.cpuUsage();
      process.send({ kind: 'usage', cpuUs: user + system });
    }
    if (message === 'memory') {
      globalThis.gc?.();
      const { heapUsed, rss } = process.memoryUsage();
      process.send({ kind: 'memory', heapUsed, rss });
    }
    if (message === 'end') process.exit(0);
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ kind: 'ready', port });
  if (process.send === undefined) console.log(`http://127.0.0.1:${port}`);
}

/** Listens on a free local port and gives it. */
export function listenOn(server) {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(server.address().port)),
  );
}
