;; SPDX-License-Identifier: MIT
;; emacs --batch -l emacs.el, with PROGRAM and SOURCE in the environment: eglot as the server's client.
(package-initialize)
(unless (require 'eglot nil t)
  (message "skipped: no eglot")
  (kill-emacs 77))
(require 'flymake)
(require 'xref)
(setq eglot-sync-connect 30
      eglot-send-changes-idle-time 0.05
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil)

(defun try (holds what)
  "Ends with an error unless it holds."
  (unless holds
    (message "FAILED: %s" what)
    (kill-emacs 1)))

(defun try-until (holds what)
  "Waits until the function HOLDS returns something."
  (let ((left 200))
    (while (and (> left 0) (not (funcall holds)))
      (accept-process-output nil 0.1)
      (sit-for 0.01)
      (setq left (1- left)))
    (try (funcall holds) what)))

(define-derived-mode gpucode-test-mode prog-mode "gpucode")
(add-to-list 'eglot-server-programs (list 'gpucode-test-mode (getenv "PROGRAM") "lsp"))

(defun ask (method &rest more)
  "Sends a request about the place of point."
  (jsonrpc-request (eglot--current-server-or-lose) (intern (concat ":textDocument/" method))
                   (append more (eglot--TextDocumentPositionParams))))

(find-file (getenv "SOURCE"))
(gpucode-test-mode)
(apply #'eglot (eglot--guess-contact))
(try (eglot-managed-p) "eglot manages the buffer")
(flymake-start)
(try-until (lambda () (= 1 (length (flymake-diagnostics)))) "one error")
(try (= 4 (line-number-at-pos (flymake-diagnostic-beg (car (flymake-diagnostics))))) "its line")

(goto-char (point-min))
(search-forward "jump")
(try (string-match-p "jump" (plist-get (plist-get (ask "hover") :contents) :value)) "hover")
(search-forward "#lo")
(try (= 2 (plist-get (plist-get (plist-get (aref (ask "definition") 0) :range) :start) :line)) "definition")
(try (= 2 (length (ask "references" :context '(:includeDeclaration t)))) "references")
(xref-find-definitions "loop")
(try (= 3 (line-number-at-pos)) "where the editor goes")

;; the editor's own commands: mend, rename, format
(goto-char (point-min))
(search-forward "mvo")
(replace-match "mov")
(eglot--signal-textDocument/didChange)
(flymake-start)
(try-until (lambda () (null (flymake-diagnostics))) "no error is left")
(search-forward "#loop")
(eglot-rename "again")
(try (and (string-match-p "^again:" (buffer-string)) (not (string-match-p "loop" (buffer-string)))) "renamed")
(goto-char (point-min))
(search-forward "mov $02, SIZE")
(replace-match "mov   $02,SIZE ; 𝄞 é")
(eglot--signal-textDocument/didChange)
(eglot-format-buffer)
(try (string-match-p "mov \\$02, SIZE[ \t]+; 𝄞 é" (buffer-string)) "formatted")
(set-buffer-modified-p nil)
(message "emacs: passed")
(kill-emacs 0)
