import type { Environment } from '../cli/values/expand-variables.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { useScreen } from '../screens/use-screen.ts';
import { readVariables } from '../system/read-variables.ts';

/** Gives the variables of calls as they are then: those of the shell, and of the project's env files. */
export function useVariables(root: string): () => Environment {
  const { terminal, envFile } = useScreen();
  return () => {
    const files = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    return { ...readVariables(files, terminal.environment), ...terminal.environment };
  };
}
