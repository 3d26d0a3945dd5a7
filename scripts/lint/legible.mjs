/**
 * Rules that Oxlint lacks, on constructs that cost reading. `oxlint.config.mjs` turns them on, and
 * `test/architecture/boundaries.test.ts` plants a breach of each.
 */

const comparisons = ['==', '!=', '===', '!==', '<', '<=', '>', '>=', 'in', 'instanceof'];

/** Reports an assignment whose value is read. It may be a statement of its own, or begin or step a `for`. */
const noAssignmentInExpression = {
  create: (context) => ({
    AssignmentExpression(node) {
      const { parent } = node;
      if (parent.type === 'ExpressionStatement') return;
      if (parent.type === 'ForStatement' && parent.test !== node) return;
      context.report({ node, message: 'Assign in a statement of its own.' });
    },
  }),
};

/** Reports `texts[Number(a > b)]`, `list[isLast ? 0 : 1]` and `[few, many][flag]`, which an `if` says by words. */
const noBooleanIndex = {
  create: (context) => ({
    MemberExpression(node) {
      if (node.computed && (isBoolean(node.property) || isPair(node)))
        context.report({ node, message: 'Say with an `if` which of the values it is.' });
    },
  }),
};

/** Reports `[, b]`: a name beside an index, or an object, says what is left out. */
const noHoles = {
  create: (context) => ({
    ArrayPattern(node) {
      if (node.elements.includes(null))
        context.report({ node, message: 'Take it by its place: `const second = pair[1]`.' });
    },
  }),
};

/** Participles that mean whatever was just spoken of. `come` is plain before a place or an order. */
const vague =
  /\b(?:told|kept|asked|said|given|news|olds|gone|come(?! (?:from|back|before|first|last)\b))\b/gi;

/** Reports a comment that does not name who does what, or begins with `Who` where it means code. */
const noVagueComment = {
  create: (context) => ({
    Program() {
      for (const { value, loc } of context.sourceCode.getAllComments())
        for (const [word] of [...value.matchAll(vague), ...value.matchAll(/\bWho\b/g)])
          context.report({ loc, message: `Say who does what, in place of \`${word}\`.` });
    },
  }),
};

export default {
  meta: { name: 'legible' },
  rules: {
    'no-assignment-in-expression': noAssignmentInExpression,
    'no-boolean-index': noBooleanIndex,
    'no-holes': noHoles,
    'no-vague-comment': noVagueComment,
  },
};

/** Oxlint knows no types in a rule of ours, so an index is a boolean where its syntax says so. */
function isBoolean(node) {
  switch (node.type) {
    case 'UnaryExpression':
      return node.operator === '!' || (node.operator === '+' && isBoolean(node.argument));
    case 'BinaryExpression':
      return comparisons.includes(node.operator);
    case 'ConditionalExpression':
      return node.consequent.type === 'Literal' && node.alternate.type === 'Literal';
    case 'CallExpression':
      return (
        ['Number', 'String'].includes(node.callee.name) &&
        node.arguments.slice(0, 1).some(isBoolean)
      );
    default:
      return false;
  }
}

function isPair({ object, property }) {
  return (
    object.type === 'ArrayExpression' && object.elements.length === 2 && property.type !== 'Literal'
  );
}
