// Compares labels with the truth: those inferred from words, and those that use the server's
// claims.

/** The measures of some tools of the corpus. */
export function measure(tools) {
  const known = tools.filter(({ truth }) => truth !== undefined);
  const reads = known.filter(({ truth }) => truth === 'read');
  const inferredReads = known.filter(({ inferred }) => inferred.risk === 'read');
  const inferredWrites = known.filter(({ inferred }) => inferred.risk === 'write');
  return {
    servers: new Set(tools.map(({ server }) => server)).size,
    tools: tools.length,
    known: known.length,
    byHand: known.filter(({ hand }) => hand !== undefined).length,
    /** Of the tools inferred as read, those that read. */
    rightReads: share(inferredReads, ({ truth }) => truth === 'read'),
    /** Of the tools that read, those inferred as read. */
    foundReads: share(reads, ({ inferred }) => inferred.risk === 'read'),
    /** Of the tools inferred as write, those that destroy nothing. */
    rightWrites: share(inferredWrites, ({ truth }) => truth !== 'destructive'),
    /** Of the hints that servers state, those that the label under `checked` keeps. */
    agreedHints: share(statedHints(tools), ({ isAgreed }) => isAgreed),
    /** Of the tools whose servers state hints, those with the risk that the hints give. */
    agreedRisks: share(
      tools.filter(({ claimed }) => claimed !== undefined),
      ({ claimed, checked }) => claimed === checked.risk,
    ),
  };
}

/** Tools inferred as read although their server, or a person, says that they change something. */
export function disputedReads(tools) {
  return tools.filter(
    ({ inferred, claimed, truth }) =>
      inferred.risk === 'read' &&
      ((truth !== undefined && truth !== 'read') || (claimed !== undefined && claimed !== 'read')),
  );
}

/** Tools inferred as write although they may destroy something. */
export function disputedWrites(tools) {
  return tools.filter(
    ({ inferred, truth }) => inferred.risk === 'write' && truth === 'destructive',
  );
}

/** Tools that read and are not inferred as read. */
export function missedReads(tools) {
  return tools.filter(({ inferred, truth }) => truth === 'read' && inferred.risk !== 'read');
}

/** Tools whose claim the label does not believe. */
export function contradicted(tools) {
  return tools.filter(({ checked }) => checked.contradiction !== undefined);
}

function statedHints(tools) {
  return tools.flatMap(({ tool, stated, checked }) =>
    stated.map((hint) => ({ isAgreed: checked.hints[hint].value === tool.annotations[hint] })),
  );
}

function share(all, isRight) {
  return { part: all.filter(isRight).length, whole: all.length };
}
