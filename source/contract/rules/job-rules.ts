import type { ContractRule } from './contract-rule.ts';
import { toRule as rule } from './contract-rule.ts';

/** Rules for capabilities that a queue runs. Their inputs, guards and errors have the rules of every capability. */
export const jobRules = {
  'job-added': rule('safe', 'a capability became a job', ['nobody added it before', ['jobs']]),
  'job-removed': rule('breaking', 'a capability is not a job any more', [
    'jobs that wait are not run, and code that adds them is refused',
    ['jobs'],
  ]),
  'job-schedule-changed': rule('risky', 'the schedule of a job changed: its times, its time zone or its input', [
    'it runs at other times, or with another input',
    ['jobs'],
  ]),
  'job-settings-changed': rule(
    'safe',
    'another number of jobs runs at once or within a time, or a job is tried more or less often',
    ['the same jobs run, in another time', ['jobs']],
  ),
} as const satisfies Readonly<Record<string, ContractRule>>;
