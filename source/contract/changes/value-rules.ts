import { byName, type RuleGroups } from './rule.ts';

/** The rules of the values that callers send and read. */
export const valueRules = {
  inputs: {
    'input-schema-added': {
      class: 'risky',
      when: 'the first input schema',
      reason: 'input that was accepted unchecked may be refused',
    },
    'input-schema-removed': {
      class: 'risky',
      when: 'the input schema was removed',
      reason: 'input is no longer checked or converted',
    },
    'input-field-added': {
      class: 'safe',
      when: 'an optional field was added',
      reason: 'callers may leave it out',
    },
    'input-field-required': {
      class: 'breaking',
      when: 'a field is required, and was not',
      reason: 'callers that leave it out are refused',
    },
    'input-field-optional': {
      class: 'safe',
      when: 'a required field is optional now',
      reason: 'callers that send it are answered as before',
    },
    'input-field-removed': {
      class: 'risky',
      when: 'a field is ignored; breaking if refused',
      reason: 'it is no longer taken',
    },
    'input-default-changed': {
      class: 'risky',
      when: 'another default',
      reason: 'callers that leave it out get another response',
    },
    'input-type-narrower': {
      class: 'breaking',
      when: 'a type changed or became narrower',
      reason: 'values of the old type are refused',
    },
    'input-type-wider': {
      class: 'safe',
      when: 'a type became wider',
      reason: 'values of the old type are still accepted',
    },
    'input-values-narrower': {
      class: 'breaking',
      when: 'fewer values are listed',
      reason: 'other values are refused',
    },
    'input-values-wider': {
      class: 'safe',
      when: 'more values are listed',
      reason: 'all old values are accepted',
    },
    'input-limit-narrower': {
      class: 'breaking',
      when: 'a limit, format or check is narrower',
      reason: 'values that fitted may be refused',
    },
    'input-limit-wider': {
      class: 'safe',
      when: 'a limit, format or check is wider',
      reason: 'more values are accepted',
    },
    'input-unclear': {
      class: 'risky',
      when: 'a pattern, check or restriction is another',
      reason: 'nobody can tell what it refuses now',
    },
  },
  outputs: {
    'output-schema-added': {
      class: 'safe',
      when: 'the first output schema',
      reason: 'the response is promised now',
    },
    'output-schema-removed': {
      class: 'risky',
      when: 'the output schema was removed',
      reason: 'nothing is promised any longer',
      audience: byName,
    },
    'output-field-added': {
      class: 'safe',
      when: 'a field was added',
      reason: 'readers pass over what they do not know',
    },
    'output-field-required': {
      class: 'safe',
      when: 'a field is always present now',
      reason: 'readers were ready for less',
    },
    'output-field-optional': {
      class: 'breaking',
      when: 'a field, a header or an item may be missing now',
      reason: 'readers count on it',
    },
    'output-field-removed': {
      class: 'breaking',
      when: 'a field or a header was removed',
      reason: 'readers miss it',
    },
    'output-type-wider': {
      class: 'breaking',
      when: 'a type changed or became wider',
      reason: 'readers do not expect the new type',
    },
    'output-type-narrower': {
      class: 'safe',
      when: 'a type became narrower',
      reason: 'readers expect the new type already',
    },
    'output-values-narrower': {
      class: 'safe',
      when: 'fewer values are listed',
      reason: 'readers know these values',
    },
    'output-values-wider': {
      class: 'risky',
      when: 'more values are listed',
      reason: 'readers may not know what to do with new values',
    },
    'output-limit-narrower': {
      class: 'safe',
      when: 'a limit or format is narrower',
      reason: 'readers were ready for more',
    },
    'output-limit-wider': {
      class: 'risky',
      when: 'a limit or format is wider',
      reason: 'readers may get values that they did not expect',
    },
    'output-unclear': {
      class: 'risky',
      when: 'a pattern or restriction is another',
      reason: 'nobody can tell what comes now',
    },
  },
} as const satisfies RuleGroups;
