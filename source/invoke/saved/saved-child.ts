import { readRegistry } from '../../load/read-registry.ts';
import type { Project } from '../../manifest/project.ts';
import { connectToParent } from '../../system/parent-channel.ts';
import { runOnSave, type SavedProtocol } from './run-on-save.ts';

// A process that loads the project's code as it is now, and makes its saved calls on a server.

const project = JSON.parse(process.argv[2] ?? '') as Project;

connectToParent<SavedProtocol>({
  answers: {
    run: async (question) => runOnSave(await readRegistry(project), question, process.env),
  },
});
