/** Every key, on `?`. */
const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["← →", "the delivery before or after that is told and fits the filter"],
  ["Shift ← →", "any delivery before or after"],
  ["F, Shift F", "the next failure, the one before"],
  ["Space", "play, or stop"],
  ["W S, A D", "zoom in and out, move left and right; also the wheel, and Shift with it"],
  ["B, 0", "the bad stretch, the whole run"],
  ["Home End", "the first and the last delivery"],
  ["/", "find a text; Enter goes to the next hit, Shift Enter to the one before"],
  ["1 2 3 4", "letters, state, model, raw"],
  ["Esc", "close this, or clear the filter"],
  ["Back", "the moment you looked at before"],
];

export function HelpPanel({ onClose }: { readonly onClose: () => void }) {
  return (
    <dialog class="help" open aria-label="Keys">
      <h2>Keys</h2>
      <table>
        <tbody>
          {KEYS.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        A click on the time line moves the cursor; on a goal, a call or a line of text it goes to
        that delivery and shows its causes. The address of this page holds what you see: copy it,
        and it opens the same instant.
      </p>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  );
}
