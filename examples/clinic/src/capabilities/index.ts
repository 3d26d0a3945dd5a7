import { group } from 'capix';
import * as bookings from './bookings/index.ts';
import * as files from './files/index.ts';
import * as hooks from './hooks/index.ts';
import * as members from './members/index.ts';
import * as proposals from './proposals/index.ts';

export * as clinics from './clinics/index.ts';
export * as lab from './lab/index.ts';
/** What belongs to one clinic has its id in the path, and guards read it there. */
export const clinic = group('/clinics/:clinicId', { bookings, files, hooks, members, proposals });
