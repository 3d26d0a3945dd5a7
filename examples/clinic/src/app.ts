import { assistant } from './assistant.js';
import { capabilities } from './capabilities.js';
import { context } from './context.js';
import { servePage } from './page.js';
import { createServices } from './services.js';
import type { Settings } from './settings.js';
import { store } from './topics.js';

/** All but the port: the server and every test begin with it. */
export function createApp(settings: Settings) {
  const { auth, plugin } = createServices(settings);
  return {
    app: { context, capabilities, plugins: [plugin], ...(store && { store }) },
    rest: { mounts: { '/auth': (request: Request) => auth.handler(request), '/app': servePage } },
    assistant: assistant(auth, settings),
  };
}
