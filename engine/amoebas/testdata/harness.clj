
;; Answers lines of numbers as exported programs read them, by way of an environment function like the
;; course's.
(doseq [line (line-seq (java.io.BufferedReader. *in*))]
  (let [numbers (mapv #(Long/parseLong %) (re-seq #"-?\d+" line))
        [energy health round start] numbers
        env (fn [x y]
              (let [[fuel who e h] (subvec numbers (+ 4 (* 4 (+ (* 7 (+ y 3)) x 3))))]
                {:fuel fuel
                 :occupant (when (pos? who)
                             {:species (if (= who 1) :own :other) :energy e :health h})}))
        action (decide energy health :own env round start)
        whole (amoeba energy health :own env round)]
    (assert (= (inc round) (:data whole) (:child-data whole)))
    (println ({:rest 0 :move 1 :hit 2 :divide 3} (:cmd action)) (or (:dir action) 0))))
