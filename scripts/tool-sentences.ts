/** What each tool does, told to people. A tool's own description is for models, which pay for its words. */
export const toolSentences: Readonly<Record<string, string>> = {
  search:
    'Finds the passages that answer a question, best first, each with a link to its place. It says whether the match is strong or weak, and how many items are not searchable yet.',
  fetch:
    'Reads the text of one item, in pieces. It exists for research assistants that know only `search` and `fetch`.',
  list_content:
    'Lists saved items, newest first, filtered by kind, status, tags or the day they were saved. It also lists deleted items.',
  get_content:
    'Reads one item, or up to ten in one budget: summary, insights, action items and text. A long text comes in pieces, with an outline to jump to a section.',
  save_content:
    'Saves a page or video by its address, or up to 20 of them, and reads them in the background. Saving it again adds tags, and retries it if it had failed. The assistant can send the text, HTML or captions itself. Without an address it saves a note.',
  list_actions:
    'Lists things to do, filtered by item, goal or whether they are done. Those that serve a goal come first, or what is due first. Open ones leave out what is snoozed.',
  complete_action: 'Marks an action item as done.',
  list_goals: 'Lists your goals.',
  update_content:
    "Changes an item's title, tags, notes or shelf, marks it as read, or changes the text of a note. `clear` empties a field.",
  delete_content: 'Deletes an item. You can restore it for 30 days.',
  restore_content: 'Restores a deleted item.',
  add_action:
    'Adds something to do to a saved item, or in a new note, with a goal, a due day and a priority if you like.',
  update_action: 'Dismisses, reopens, renames or snoozes an action item, or sets its goal, due day or priority.',
  add_goal: 'Adds a goal. Matching open action items are linked to it.',
  update_goal: 'Changes a goal. An archived goal gets no new action items.',
  next_to_analyse:
    'Gives the assistant the next item without a written analysis: its text, your goals and the rules. The item is reserved for it meanwhile.',
  submit_analysis:
    'Stores the analysis that the assistant wrote. Entries that the text does not support are sent back for correction.',
  list_tags: 'Lists all tags with the number of their items.',
  rename_tag: 'Renames a tag on all items. If the new name exists, the two are merged.',
  list_lists: 'Lists your lists with the number of their items.',
  change_list:
    'Makes a list, changes its name or query, puts items into it or takes them out, or deletes it. The items themselves stay.',
  update_contents:
    'Changes up to 100 items at once: adds and removes tags, sets notes and titles, moves them to the inbox, to later or to the archive, and marks them as read.',
  list_highlights: 'Lists what you marked in saved items, with your notes.',
  add_highlight: "Marks words of an item's text. The answer says whether they were found there.",
  update_highlight: 'Changes the words, the note or the colour of a highlight.',
  delete_highlight: 'Deletes a highlight and its note.',
  history: 'Lists changes, newest first, of the whole library or of one record.',
  undo: 'Undoes a change. If something was changed since, it lists the conflicts; `force` overwrites them.',
};
