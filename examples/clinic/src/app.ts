import { assistant } from './assistant.ts';
import { capabilities } from './capabilities.ts';
import { context } from './context.ts';
import { servePage } from './page.ts';
import { createServices } from './services.ts';
import type { Settings } from './settings.ts';
import { store } from './topics.ts';

/** All but the port: the server and every test begin with it. */
export function createApp(settings: Settings) {
  const { auth, plugin } = createServices(settings);
  return {
    app: { context, capabilities, plugins: [plugin], ...(store && { store }) },
    rest: { mounts: { '/auth': (request: Request) => auth.handler(request), '/app': servePage } },
    assistant: assistant(auth, settings),
  };
}
