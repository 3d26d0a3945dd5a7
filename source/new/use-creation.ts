import { useEffect, useReducer, useState } from 'react';
import type { Terminal } from '../terminal/terminal.ts';
import { type Creation, toNextCreation } from './creation.ts';
import type { NewAnswers } from './new-form.ts';
import { createProject } from './project/create-project.ts';
import { toManagedFiles } from './project/managed-files.ts';
import { selectFiles } from './project/project-features.ts';
import { type ProjectFile, readProjectFiles } from './project/project-file.ts';
import { type ProjectPlace, toProjectPlace } from './project/project-place.ts';
import { expectEmpty } from './project/write-project.ts';

/** The project as it will be. */
export interface NewPreview {
  readonly place: ProjectPlace | undefined;
  /** Why the name will not do; undefined for one that will, and for none yet. */
  readonly problem: string | undefined;
  readonly paths: readonly string[];
}

/** Looks at the name while it is typed, and at the files that the answers give. */
export function useNewPreview(
  { name, features, packageManager, language }: NewAnswers,
  terminal: Terminal,
  force: boolean,
): NewPreview {
  const workingDirectory = terminal.workingDirectory();
  const [files, setFiles] = useState<readonly ProjectFile[]>([]);
  const [occupied, setOccupied] = useState<{ readonly folder: string; readonly problem: string }>();
  useEffect(() => {
    // Only the paths are shown.
    void readProjectFiles({ name: '', capix: '', run: '', exec: '', install: '' }, language).then(setFiles);
  }, [language]);
  const { place, problem } = readPlace(name, workingDirectory);
  const folder = place?.folder;
  useEffect(() => {
    if (folder === undefined || force) return undefined;
    let isOld = false;
    expectEmpty(folder).then(
      () => !isOld && setOccupied(undefined),
      (error: Error) => !isOld && setOccupied({ folder, problem: error.message.replace(' Nothing was written.', '') }),
    );
    return () => {
      isOld = true;
    };
  }, [folder, force]);
  return {
    place,
    problem: problem ?? (occupied?.folder === folder ? occupied?.problem : undefined),
    paths: toManagedFiles(selectFiles(files, features), { packageManager, folder: folder ?? workingDirectory }).map(
      ({ path }) => path,
    ),
  };
}

function readPlace(
  name: string,
  workingDirectory: string,
): { readonly place?: ProjectPlace; readonly problem?: string } {
  if (name === '') return {};
  try {
    return { place: toProjectPlace(name, workingDirectory) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

export interface NewCreation {
  readonly creation: Creation;
  readonly create: (place: ProjectPlace, answers: NewAnswers) => void;
}

/** Makes the project. */
export function useCreation(terminal: Terminal, force: boolean): NewCreation {
  const [creation, dispatch] = useReducer(toNextCreation, { kind: 'asking' });
  return {
    creation,
    create: (place, { name: _name, ...answers }) => {
      dispatch({ kind: 'start' });
      createProject({
        ...answers,
        place,
        workingDirectory: terminal.workingDirectory(),
        force,
        onStep: dispatch,
      }).then(
        (project) => dispatch({ kind: 'created', project }),
        (error: Error) => dispatch({ kind: 'refused', problem: error.message }),
      );
    },
  };
}
