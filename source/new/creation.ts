import type { CreatedProject, CreateStep } from './project/create-project.ts';

/** A project while it is made. */
export type Creation =
  | { readonly kind: 'asking'; readonly problem?: string | undefined }
  | {
      readonly kind: 'creating';
      readonly fileCount: number | undefined;
      readonly isInstalling: boolean;
      /** The last lines that the package manager wrote. */
      readonly output: readonly string[];
    }
  | { readonly kind: 'created'; readonly project: CreatedProject };

export type CreationEvent =
  | { readonly kind: 'start' }
  | CreateStep
  | { readonly kind: 'created'; readonly project: CreatedProject }
  /** Nothing was written. */
  | { readonly kind: 'refused'; readonly problem: string };

const KEPT_LINES = 200;

export function toNextCreation(creation: Creation, event: CreationEvent): Creation {
  switch (event.kind) {
    case 'start':
      return { kind: 'creating', fileCount: undefined, isInstalling: false, output: [] };
    case 'written':
      return creation.kind === 'creating' ? { ...creation, fileCount: event.files.length } : creation;
    case 'installing':
      return creation.kind === 'creating' ? { ...creation, isInstalling: true } : creation;
    case 'output':
      if (creation.kind !== 'creating' || event.line.trim() === '') return creation;
      return { ...creation, output: [...creation.output, event.line].slice(-KEPT_LINES) };
    case 'created':
      return { kind: 'created', project: event.project };
    case 'refused':
      return { kind: 'asking', problem: event.problem };
  }
}
