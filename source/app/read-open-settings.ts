import type { ScreenProps } from '../cli/command.ts';
import { expectProject, type FindProjectOptions } from '../load/expect-project.ts';
import { type ProjectSettings, readSettings } from '../load/settings/read-settings.ts';
import { readUserSettings, type UserSettings } from './user-settings.ts';

/** The settings of the user and of the project; what they do not say of the background, the terminal does. */
export function readOpenSettings({
  terminal,
  options,
  background,
}: Pick<ScreenProps, 'terminal' | 'options' | 'background'>): UserSettings | Error {
  const { config } = options as Pick<FindProjectOptions, 'config'>;
  try {
    const project = findSettings({ config, workingDirectory: terminal.workingDirectory() });
    const { ui, start, ...settings } = readUserSettings(terminal, project);
    // Home says what to do where there is no project.
    return { ...settings, start: project && start, ui: { ...ui, background: ui.background ?? background } };
  } catch (error) {
    return error as Error;
  }
}

/** Settings that cannot be read are refused where the project is opened. */
function findSettings(options: FindProjectOptions): ProjectSettings | undefined {
  try {
    return readSettings(expectProject(options).root);
  } catch {
    return undefined;
  }
}
