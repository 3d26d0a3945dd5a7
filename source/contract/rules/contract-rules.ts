import { factRules } from './fact-rules.ts';
import { jobRules } from './job-rules.ts';
import { limitRules } from './limit-rules.ts';
import { schemaRules } from './schema-rules.ts';

/** Every kind of change that is told apart, by its permanent id. */
export const contractRules = { ...factRules, ...jobRules, ...schemaRules, ...limitRules };

/** The id of a rule: `input-field-became-required`. */
export type RuleId = keyof typeof contractRules;
