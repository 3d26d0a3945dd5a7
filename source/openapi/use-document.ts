import { useMemo } from 'react';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { ProjectState } from '../project/project-state.ts';
import { useProject } from '../project/use-project.ts';
import { useScreen } from '../ui/use-screen.ts';

const defaults: OpenApiOptions = {};

/** The project with its document, made anew after every save. */
export function useDocument(options: OpenApiOptions = defaults): ProjectState {
  const { terminal, config, exit } = useScreen();
  return useProject({
    config,
    workingDirectory: useMemo(() => terminal.workingDirectory(), [terminal]),
    document: options,
    onError: (error) => exit(error instanceof Error ? error : new Error(String(error))),
  });
}
