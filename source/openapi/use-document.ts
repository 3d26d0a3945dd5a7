import { useMemo } from 'react';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { ProjectState } from '../load/project-state.ts';
import { useProject } from '../load/use-project.ts';
import { useScreen } from '../screens/use-screen.ts';

const defaults: OpenApiOptions = {};

/** The document, made anew after every save. What else is told of the project comes from the project that is open. */
export function useDocument(options: OpenApiOptions = defaults): ProjectState {
  const { terminal, config, envFile, exit } = useScreen();
  return useProject({
    config,
    envFile,
    workingDirectory: useMemo(() => terminal.workingDirectory(), [terminal]),
    detail: 'routes',
    document: options,
    onError: (error) => exit(error instanceof Error ? error : new Error(String(error))),
  });
}
