// Faults of the protocol that a careless author could write, as changes of the source. Each makes a test fail. A change
// whose text is not found fails as well: then the code has moved, and the fault moves with it.

export interface Fault {
  readonly name: string;
  /** The test file that notices it; the simulation where none is named. */
  readonly noticedBy?: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const faults: readonly Fault[] = [
  {
    name: "a run whose own attempt is unclear sends again once a person released it",
    noticedBy: "test/delivery/in-memory/steps.test.ts",
    file: "src/delivery/next-step.ts",
    find: 'if (isUnclear) return { do: "refuse", because: "unknown" };',
    replace: "",
  },
  {
    name: "a create that met a 503 is sent again after one look",
    noticedBy: "test/delivery/answers/server-errors.test.ts",
    file: "src/delivery/read-back.ts",
    find: "began - firstMiss >= betweenMisses",
    replace: "began >= firstMiss",
  },
  {
    name: "a create that met a 503 is sent again and again",
    noticedBy: "test/delivery/answers/server-errors.test.ts",
    file: "src/journal/fold.ts",
    find: "open.size === 1 && uncertain?.type",
    replace: "open.size > 0 && uncertain?.type",
  },
  {
    name: "an open incident answers two creates of one run",
    noticedBy: "test/delivery/batch/open-look.test.ts",
    file: "src/delivery/creates/list-look.ts",
    find: "isMatch && (answers.get(normalId(id)) ?? log.key.id) === log.key.id",
    replace: "isMatch",
  },
  {
    name: "an open incident of another operation is the answer",
    noticedBy: "test/delivery/batch/open-look.test.ts",
    file: "src/delivery/creates/list-look.ts",
    find: 'const isMatch = relation !== "alike" && isFree(model);',
    replace: 'const isMatch = relation !== "alike";',
  },
  {
    name: "a part of the list proves that a create is not there",
    noticedBy: "test/delivery/answers/server-errors.test.ts",
    file: "src/delivery/creates/list-look.ts",
    find: "const isAbsent = isComplete && seen",
    replace: "const isAbsent = seen",
  },
  {
    name: "equal dates prove that a list is newest first",
    noticedBy: "test/commands/list/list.test.ts",
    file: "src/incident/wire.ts",
    find: "return isDescending && (times[0] as number) > (times.at(-1) as number);",
    replace: "return isDescending;",
  },
  {
    name: "a list with pages that nothing asks for is read as a whole one",
    noticedBy: "test/api/operations.test.ts",
    file: "src/api/lists.ts",
    find: "if (pageSize === undefined && isPart === undefined) return true;",
    replace: "if (pageSize === undefined) return true;",
  },
  {
    name: "the findings survive a wait",
    noticedBy: "test/delivery/in-memory/steps.test.ts",
    file: "src/delivery/deliver.ts",
    find: "return restart(progress, operation.logIn(await journal.model(progress.log.key), progress.log));",
    replace:
      "return { ...progress, log: operation.logIn(await journal.model(progress.log.key), progress.log) };",
  },
  {
    name: "a lost append is reported as success",
    file: "src/delivery/deliver.ts",
    find: 'if (appended.result === "lost") return restart(progress, appended.log);',
    replace: "",
  },
  {
    name: "a log that others changed does not restart the decision",
    noticedBy: "test/delivery/in-memory/steps.test.ts",
    file: "src/delivery/deliver.ts",
    find: "if (isChanged) return tried;",
    replace: "",
  },
  {
    name: "a settlement that permits another send does not wait for the first sender",
    noticedBy: "test/delivery/settle-by-person.test.ts",
    file: "src/delivery/settle-by-person.ts",
    find: "    await waitForSender(options, log);\n    if (connect",
    replace: "    if (connect",
  },
  {
    name: "reading back does not wait for the deadline of the sender",
    file: "src/delivery/read-back.ts",
    find: "Math.max(settleFor, log.unended?.deadline ?? 0)",
    replace: "settleFor",
  },
  {
    name: "a sender is not waited for",
    file: "src/delivery/read-back.ts",
    find: "const wait = unended?.deadline ?? 0;",
    replace: "const wait = 0;",
  },
  {
    name: "the wait for a sender is ten times too short",
    noticedBy: "test/delivery/settle-by-person.test.ts",
    file: "src/delivery/read-back.ts",
    find: "system.clock.sleep(wait,",
    replace: "system.clock.sleep(wait / 10,",
  },
  {
    name: "a dry run of a create sends",
    noticedBy: "test/commands/create/preview-of-run.test.ts",
    file: "src/delivery/deliver.ts",
    find: "if (options.neverSends)",
    replace: "if (options.neverSends && options.isNew)",
  },
  {
    name: "408 counts as refused",
    noticedBy: "test/delivery/statuses.test.ts",
    file: "src/http/meaning-of-status.ts",
    find: "status === 408 || ",
    replace: "",
  },
  {
    name: "one read that does not find a declared incident frees its dedup key",
    noticedBy: "test/delivery/gone.test.ts",
    file: "src/delivery/creates/declared.ts",
    find: "if (shown !== undefined || isComplete) return shown;",
    replace: "return shown;",
  },
  {
    name: "a second signal ends a process whose create is on its way",
    file: "src/delivery/attempt.ts",
    find: "releaseExit = system.holdExit();",
    replace: "",
  },
  {
    name: "a gate takes what it did not read for closed",
    noticedBy: "test/commands/gate/verdict.test.ts",
    file: "src/commands/gate/verdict.ts",
    find: "const [first, ...others] = unknown;",
    replace: "const [first, ...others]: (typeof unknown)[number][] = [];",
  },
  {
    name: "a gate passes what a signal has left unread",
    noticedBy: "test/commands/gate/gate.test.ts",
    file: "src/commands/gate/gate.ts",
    find: ': unread("it was not read")',
    replace: ": undefined",
  },
  {
    name: "a push overwrites what it did not read",
    noticedBy: "test/journal/git/scratch-repository.slow.test.ts",
    file: "src/journal/git/sequences.ts",
    find: "...flags, lease, remoteName",
    replace: '...flags, "--force", remoteName',
  },
  {
    name: "a push that ends without an error counts as made, whatever it reports",
    noticedBy: "test/journal/git/scratch-repository.slow.test.ts",
    file: "src/journal/git/sequences.ts",
    find: 'return exitCode === 0 && flag !== undefined && flag !== "!";',
    replace: "return exitCode === 0;",
  },
  {
    name: "the deadline of an attempt begins after its event is appended",
    noticedBy: "test/delivery/in-memory/attempt-times.test.ts",
    file: "src/delivery/attempt.ts",
    find: "sentLog = appended.log;",
    replace: "sentLog = appended.log; isOverdue = system.startDeadline(deadline);",
  },
  {
    name: "a person's settlement ends the wait for the sender",
    noticedBy: "test/delivery/in-memory/attempt-times.test.ts",
    file: "src/journal/fold.ts",
    find: "unendedIn(open) ?? settledSender,",
    replace: "unendedIn(open),",
  },
  {
    name: "synchronous_commit is not turned on",
    noticedBy: "test/journal/postgres/rows.test.ts",
    file: "src/journal/postgres/sequences.ts",
    find: "set_config('synchronous_commit', 'on', true)",
    replace: "current_setting('synchronous_commit')",
  },
  {
    name: "a standby may be read",
    noticedBy: "test/journal/postgres/refusals.slow.test.ts",
    file: "src/journal/postgres/sequences.ts",
    find: "WHEN pg_is_in_recovery() THEN",
    replace: "WHEN false THEN",
  },
  {
    name: "an unfinished operation of a claim is not taken up",
    noticedBy: "test/commands/create/interactive.test.ts",
    file: "src/delivery/batch/batch.ts",
    find: "if (known !== undefined && known.created === undefined) return { ...planned, log: known };",
    replace: "",
  },
  {
    name: "an attempt of an update does not keep which updates were there before",
    noticedBy: "test/delivery/changes/post-once.test.ts",
    file: "src/delivery/changes/update-operation.ts",
    find: "return { unclaimed: countFree(incident, await readOthers()) };",
    replace: "return {};",
  },
  {
    name: "an update of another operation is taken for this one",
    noticedBy: "test/delivery/changes/post-once.test.ts",
    file: "src/delivery/changes/update-operation.ts",
    find: "const others = await readOthers();",
    replace: "const others: readonly string[] = [];",
  },
  {
    name: "an update whose outcome is not known is not taken where it is found",
    noticedBy: "test/delivery/changes/post-once.test.ts",
    file: "src/delivery/changes/update-operation.ts",
    find: "if (serviceId !== undefined) return { incident, serviceId };",
    replace: 'if (serviceId !== undefined && because !== "unclear") return { incident, serviceId };',
  },
  {
    name: "an update is posted after somebody has resolved the incident",
    noticedBy: "test/delivery/changes/post-once.test.ts",
    file: "src/delivery/changes/update-operation.ts",
    find: "const isOver = () => isResolved(incident) && !reopens;",
    replace: "const isOver = () => false;",
  },
  {
    name: "the same update again is another one where the service hides the first",
    noticedBy: "test/delivery/changes/plan-update.test.ts",
    file: "src/delivery/changes/plan-update.ts",
    find: "equal.length > 0 || finished.length > 0",
    replace: "equal.length > 0",
  },
  {
    name: "the equal updates of a file are one",
    noticedBy: "test/commands/apply/timeline-rules.slow.test.ts",
    file: "src/delivery/timeline/update-order.ts",
    find: "incident.id, update, occurrence);",
    replace: "incident.id, update, 0);",
  },
];

export function withFault({ file, find, name, replace }: Fault, text: string): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`${file} has the text of "${name}" ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}
