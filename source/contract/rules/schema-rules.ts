import type { ContractRule } from './contract-rule.ts';
import { toRule as rule } from './contract-rule.ts';

/** What changes in a schema, by the side on which it is used: callers send the input, and read the output. */
export const schemaRules = {
  'input-schema-added': rule('risky', 'an input schema where there was none', [
    'input that was taken as it came may be refused',
  ]),
  'input-schema-removed': rule('risky', 'no input schema any more', [
    'input is not checked and not converted any more',
  ]),
  'input-field-added-required': rule('breaking', 'a new field that must be sent', [
    'callers that leave it out are refused',
  ]),
  'input-field-added-optional': rule('safe', 'a new field that may be sent', ['callers may leave it out']),
  'input-field-became-required': rule('breaking', 'a field that could be left out must be sent', [
    'callers that leave it out are refused',
  ]),
  'input-field-became-optional': rule('safe', 'a field that had to be sent may be left out', [
    'callers that send it are answered as before',
  ]),
  'input-field-removed': rule('risky', 'a field less, where fields that are not named are let pass', [
    'it is ignored where it is sent, and code that sends it does not compile with a new client',
  ]),
  'input-field-refused': rule('breaking', 'a field less, where fields that are not named are refused', [
    'callers that send it are refused',
  ]),
  'input-field-moved': rule('breaking', 'a field that must be sent has another name or place', [
    'callers that send it where it was are refused',
  ]),
  'input-field-moved-optional': rule('risky', 'a field that may be sent has another name or place', [
    'it is ignored where it was',
  ]),
  'input-field-deprecated': rule('safe', 'a field became deprecated', ['it is taken as before']),
  'input-default-added': rule('risky', 'a field that may be left out got a default', [
    'callers that leave it out get another answer',
  ]),
  'input-default-removed': rule('risky', 'a field that may be left out lost its default', [
    'callers that leave it out get another answer',
  ]),
  'input-default-changed': rule('risky', 'another default', ['callers that leave it out get another answer']),
  'input-type-narrowed': rule('breaking', 'another type, or a narrower one', ['values of the old type are refused']),
  'input-type-widened': rule('safe', 'a wider type', ['values of the old type are still taken']),
  'input-text-type-changed': rule('breaking', 'another type of a field in the path or query, whose text still fits', [
    'as text in the path or query it is the same; the type of the client and the tool is not',
    ['client', 'agents'],
  ]),
  'input-values-lost': rule('breaking', 'fewer literals', ['other values are refused']),
  'input-values-gained': rule('safe', 'more literals', ['all old values are taken']),
  'input-unclear': rule('risky', 'other restrictions, of a kind that has no order', ['they cannot be compared']),
  'output-schema-added': rule('safe', 'an output schema where there was none', ['the answer is promised now']),
  'output-schema-removed': rule('risky', 'no output schema any more', [
    'nothing is promised of the answer any more',
    ['client', 'agents'],
  ]),
  'output-field-added': rule('safe', 'a new field', ['readers pass over what they do not know']),
  'output-field-became-required': rule('safe', 'a field is always there now', ['readers were ready for less']),
  'output-field-became-optional': rule('breaking', 'a field may be missing now', ['readers count on it']),
  'output-field-removed': rule('breaking', 'a field less', ['readers miss it']),
  'output-field-moved': rule('breaking', 'a field has another name or place', ['readers miss it where it was']),
  'output-field-deprecated': rule('safe', 'a field became deprecated', ['it is sent as before']),
  'output-position-lost': rule('breaking', 'a position of a tuple may be missing', ['readers count on it']),
  'output-type-widened': rule('breaking', 'another type, or a wider one', ['readers do not expect the new type']),
  'output-type-narrowed': rule('safe', 'a narrower type', ['readers expect the new type already']),
  'output-values-lost': rule('safe', 'fewer literals', ['readers know these values']),
  'output-values-gained': rule('risky', 'more literals', ['readers may not know what to do with new values']),
  'output-unclear': rule('risky', 'other restrictions, of a kind that has no order', ['they cannot be compared']),
} as const satisfies Readonly<Record<string, ContractRule>>;
